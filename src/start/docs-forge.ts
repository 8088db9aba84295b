import type { Project } from '../features/projects/projects.ts'
import type { Forge } from '../integrations/forges/forge.ts'
import { createLocalForge } from '../integrations/forges/local/local-forge.ts'
import { jobProjectOf, localForgePorts } from './agent-ports.ts'
import type { Services } from './services.ts'

/** Where pull requests of the docs stand; undefined where none can be read. */
export async function docsForge(services: Services, project: Project): Promise<Forge | undefined> {
  if (project.kind === 'path')
    return createLocalForge(localForgePorts(services), await jobProjectOf(services, project))
  return (await services.openConnection(project.id))?.hosted?.forge
}
