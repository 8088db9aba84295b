import type { Models } from '../../integrations/models/model.ts'
import type { z } from '@hono/zod-openapi'
import type { AddProjectPorts } from './setup/add-project.ts'
import type { OpenConnection } from '../../features/connections/open-connection.ts'
import type { ProjectHosts } from './setup/project-hosts.ts'
import type { Project } from '../../features/projects/projects.ts'
import { visibilityOf } from '../../features/projects/visibility.ts'
import type { Recorded } from '../../verbs/present.ts'
import type { oneProject } from './verbs.ts'

export interface ProjectPorts extends Pick<AddProjectPorts, 'store' | 'queue'> {
  publicUrl(): string
  hosts: ProjectHosts
  openConnection: OpenConnection
  /** Full URL of a project's repository. */
  repositoryUrl(project: Project): string
  /** Warnings about limits that do not fully apply, such as on cost where no price is known. */
  warningsOf(project: Project): string[]
  models: Models
  /** Finds what is kept of a project in memory and on disk, and returns a function that deletes it. */
  prepareForget(project: Project): Promise<() => Promise<void>>
}

export function projectBody(
  { repositoryUrl, warningsOf }: Pick<ProjectPorts, 'repositoryUrl' | 'warningsOf'>,
  project: Project,
): Recorded<z.output<typeof oneProject>> {
  const { assistantFile: file } = project
  return {
    ...project,
    repository: repositoryUrl(project),
    pages: project.pageCount,
    site: project.settings.site,
    organization: project.organizationId,
    visibility: visibilityOf(project.settings),
    assistantFile: file && { ...file.guidance, path: file.path, commit: file.commit },
    warnings: warningsOf(project),
  }
}
