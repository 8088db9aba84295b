import { z } from '@hono/zod-openapi'
import type { EnrichmentSettings } from '../../features/docs/enrich/enrichment.ts'
import type { EnrichmentEstimate } from '../../features/docs/enrich/estimate-enrichment.ts'
import type { AddProjectPorts } from '../../features/projects/setup/add-project.ts'
import type { OpenConnection } from '../../features/projects/connections/open-connection.ts'
import type { ProjectHosts } from '../../features/projects/setup/project-hosts.ts'
import type { Project } from '../../features/projects/projects.ts'
import { repositoryKind } from '../../features/projects/settings/context-repositories.ts'
import { projectSettings } from '../../features/projects/settings/schemas.ts'
import { visibilityOf } from '../../features/projects/visibility.ts'
import { withoutControls, withoutControlsAndSpaces } from '../../lib/text/portable-patterns.ts'
import { guidance } from '../../site/guidance.ts'
import type { Access } from '../access.ts'

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

const projectShape = z.object({
  id: z.string(),
  domain: z.string().describe('The project’s name in URLs.'),
  kind: repositoryKind,
  repository: z.string().describe('Full URL for cloning, without a credential.'),
  ref: z.string().describe('Branch that is read and that jobs start from.'),
  root: z.string().describe('Folder of the pages; empty: the whole repository.'),
  pages: z.int(),
  site: z.string().nullable().describe('Address of the published site.'),
  framework: z.string().nullable(),
  organization: z.string(),
  visibility: projectSettings.shape.visibility.unwrap(),
  settings: projectSettings,
  assistantFile: guidance
    .extend({ path: z.string(), commit: z.string() })
    .openapi('AssistantFile', { description: 'The file by which a repository shapes its assistant.' })
    .nullable()
    .describe('What the repository asks of the assistant, as the last sync read it, besides the settings.'),
  warnings: z.array(z.string()).describe('Limits that do not fully apply.'),
  sync: z
    .object({
      state: z.enum(['pending', 'syncing', 'ready', 'failed']),
      progress: z
        .object({
          phase: z.string(),
          done: z.int(),
          total: z.int().nullable(),
          bytes: z.int().optional().describe('Of a fetch, where git tells them.'),
        })
        .openapi('SyncProgress', { description: 'How far a sync is.' })
        .nullable(),
      error: z.string().nullable(),
      commit: z.string().nullable(),
      at: z.iso.datetime().nullable(),
      unreadable: z
        .array(z.object({ path: z.string(), message: z.string() }))
        .describe('Files that are left out of the index, and what is left out of the assistant’s file.'),
      warning: z
        .string()
        .nullable()
        .describe('Why there is no page although the repository was read, and what to do.'),
      pageFolders: z
        .array(z.object({ folder: z.string(), pages: z.int() }))
        .describe('Where pages are, when `root` holds none; an empty folder is the whole repository.'),
    })
    .openapi('Sync', { description: 'How the last reading of a project’s repository went.' }),
  enrichment: z
    .object({
      state: z
        .enum(['waiting', 'running', 'ready', 'ceiling', 'failed'])
        .describe('`ceiling` and `failed` go on at `retryAt`.'),
      done: z.int().describe('Sections.'),
      total: z.int(),
      error: z.string().nullable(),
      notice: z
        .string()
        .nullable()
        .describe('What changed on the side of a model, or could not be looked at.'),
      retryAt: z.iso.datetime().nullable(),
    })
    .openapi('Enrichment', { description: 'How far models are with the sections of a project.' })
    .nullable()
    .describe('How far models are with the sections; null when none is to read them.'),
})
export const oneProject = projectShape.openapi('Project', { description: 'A repository with documentation.' })
const notes = z.array(z.string()).describe('Notes for people.')
export const notedProject = projectShape
  .extend({ notes })
  .openapi('NotedProject', { description: 'A project, with notes for people.' })
export const addedProject = projectShape
  .extend({
    notes,
    hasCredential: z.boolean().describe('Whether a credential is used to read the repository.'),
  })
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

export const hostKind = z
  .enum(['github', 'gitlab', 'gitea', 'bitbucket', 'git'], {
    error: 'must be github, gitlab, gitea, bitbucket or git',
  })
  .openapi('HostKind', { description: 'A kind of git host; `git` is any other.' })
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
