import { AppError } from '../../lib/errors.ts'
import type { Models } from '../../integrations/models/model.ts'
import type { AddProjectDependencies, AddedProject } from '../../features/projects/add-project.ts'
import type { OpenConnection } from '../../features/projects/connections/open-connection.ts'
import { setUpWebhook } from '../../features/projects/connections/set-up-webhook.ts'
import { findProjectByDomain } from '../../features/projects/projects.ts'
import type { Project } from '../../features/projects/projects.ts'
import { visibilityOf } from '../../features/projects/visibility.ts'
import type { Remote } from '../../integrations/git/remote.ts'
import type { Access } from '../access.ts'
import type { RequestContext } from '../endpoint.ts'

export interface AdminProjectDependencies extends AddProjectDependencies {
  access: Access
  models: Pick<Models, 'find'>
  openConnection: OpenConnection
  /** The address that was configured for hosts and people; undefined: none was. */
  publicUrl: string | undefined
  readable(url: string, projectId: string): Promise<Remote>
  /** Full URL of a project's repository. */
  repositoryUrl(project: Project): string
  /** What its settings do not do, though they may look so. */
  warningsOf(project: Project): string[]
  /** Finds what memory and disk hold of a project, and gives what forgets it. */
  prepareForget(project: Project): Promise<() => Promise<void>>
}

/** What the commands see of a project. */
export function projectBody(
  { repositoryUrl, warningsOf }: AdminProjectDependencies,
  project: Project,
): object {
  return {
    id: project.id,
    domain: project.domain,
    kind: project.kind,
    repository: repositoryUrl(project),
    ref: project.ref,
    root: project.root,
    pages: project.pageCount,
    site: project.site ?? null,
    framework: project.framework ?? null,
    organization: project.organizationId,
    visibility: visibilityOf(project.settings),
    settings: project.settings,
    warnings: warningsOf(project),
    sync: {
      state: project.sync.state,
      progress: project.sync.progress ?? null,
      error: project.sync.error ?? null,
      commit: project.sync.commit ?? null,
      at: project.sync.at?.toISOString() ?? null,
      unreadable: project.sync.unreadable,
    },
  }
}

/** The same after the repository was connected, with what people should know. */
export async function connectedBody(
  dependencies: AdminProjectDependencies,
  { project, notes }: Pick<AddedProject, 'project' | 'notes'>,
): Promise<object> {
  const more = await setUpWebhook(dependencies, project.id)
  return { ...projectBody(dependencies, project), notes: [...notes, ...more] }
}

/** The project that the address names, for the operator alone. @throws AppError `not_found` */
export async function operatorProject(
  { access, store }: Pick<AdminProjectDependencies, 'access' | 'store'>,
  context: RequestContext,
): Promise<Project> {
  access.operator(context)
  const domain = context.req.param('domain') ?? ''
  const project = await findProjectByDomain(store.db, domain)
  if (!project)
    throw new AppError('not_found', `There is no project with the domain "${domain}"; see "project list"`)
  return project
}
