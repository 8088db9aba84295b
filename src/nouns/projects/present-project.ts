import { z } from '@hono/zod-openapi'
import type { EnrichmentSettings } from '../../features/docs/enrich/enrichment.ts'
import type { EnrichmentEstimate } from '../../features/docs/enrich/estimate-enrichment.ts'
import type { AddProjectPorts } from './setup/add-project.ts'
import type { OpenConnection } from '../../features/connections/open-connection.ts'
import type { ProjectHosts } from './setup/project-hosts.ts'
import type { Project } from '../../features/projects/projects.ts'
import { projectSettings } from '../../features/projects/settings/schemas.ts'
import { visibilityOf } from '../../features/projects/visibility.ts'
import { withoutControls, withoutControlsAndSpaces } from '../../lib/text/portable-patterns.ts'
import { noteOfAdded, notes, projectAnswer } from './answers.ts'
import type { Access } from '../../api/access.ts'

export interface ProjectPorts extends Pick<AddProjectPorts, 'store' | 'queue'> {
  access: Access
  publicUrl(): string
  hosts: ProjectHosts
  openConnection: OpenConnection
  /** Full URL of a project's repository. */
  repositoryUrl(project: Project): string
  /** Warnings about limits that do not fully apply, such as on cost where no price is known. */
  warningsOf(project: Project): string[]
  /** What it would take to have models read the sections of a project. */
  estimateEnrichment(project: Project, settings: EnrichmentSettings): Promise<EnrichmentEstimate>
  /** Goes on with it now, without waiting for the time of the next try. */
  enrich(project: Project): Promise<void>
  /** Finds what is kept of a project in memory and on disk, and returns a function that deletes it. */
  prepareForget(project: Project): Promise<() => Promise<void>>
}

const project = projectAnswer.extend({ settings: projectSettings })
export const oneProject = project.openapi('Project', { description: 'A repository with documentation.' })
export const notedProject = project
  .extend(notes)
  .openapi('NotedProject', { description: 'A project, with notes for people.' })
export const addedProject = project
  .extend(noteOfAdded)
  .openapi('AddedProject', { description: 'A project that was added, with notes for people.' })

export function projectBody(
  { repositoryUrl, warningsOf }: Pick<ProjectPorts, 'repositoryUrl' | 'warningsOf'>,
  project: Project,
): z.output<typeof oneProject> {
  const { sync, enrichment, assistantFile: file } = project
  return {
    id: project.id,
    domain: project.domain,
    kind: project.kind,
    repository: repositoryUrl(project),
    ref: project.ref,
    root: project.root,
    pages: project.pageCount,
    site: project.settings.site ?? null,
    framework: project.framework ?? null,
    organization: project.organizationId,
    visibility: visibilityOf(project.settings),
    settings: project.settings,
    assistantFile: file ? { ...file.guidance, path: file.path, commit: file.commit } : null,
    warnings: warningsOf(project),
    sync: {
      state: sync.state,
      progress: sync.progress ?? null,
      error: sync.error ?? null,
      commit: sync.commit ?? null,
      at: sync.at?.toISOString() ?? null,
      unreadable: sync.unreadable,
      warning: sync.warning ?? null,
      pageFolders: sync.pageFolders,
    },
    enrichment:
      enrichment === undefined
        ? null
        : {
            state: enrichment.state,
            done: enrichment.done,
            total: enrichment.total,
            error: enrichment.error ?? null,
            notice: enrichment.notice ?? null,
            retryAt: enrichment.retryAt?.toISOString() ?? null,
          },
  }
}

const secret = z.string().trim().min(1, 'must not be empty').max(20_000)
const plain = (most: number, rule: string): z.ZodString =>
  z.string(rule).min(1, rule).max(most, rule).regex(withoutControls, rule)
export const hostCredential = z
  .discriminatedUnion('kind', [
    z
      .object({
        kind: z.literal('token'),
        token: secret
          .regex(withoutControlsAndSpaces, 'has a space or a line break in it: copy it again, alone')
          .openapi({ example: 'an-access-token' }),
        username: plain(200, 'has characters that no name has').openapi({ example: 'docs-bot' }).optional(),
      })
      .openapi('TokenCredential', { description: 'An access token of a git host.' }),
    z
      .object({
        kind: z.literal('github_app'),
        appId: plain(100, 'is a number, or the client id').openapi({ example: '123456' }),
        privateKey: secret,
      })
      .openapi('GithubAppCredential', { description: 'A GitHub App.' }),
  ])
  .openapi('Credential', { description: 'What the server shows a git host.' })
