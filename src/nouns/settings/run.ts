import { findProject } from '../../features/projects/projects.ts'
import { deed } from '../../verbs/verb.ts'
import { projectBody, type ProjectPorts } from '../projects/present-project.ts'
import * as verbs from '../projects/verbs.ts'

export const changeSettings = deed(
  verbs.changeSettings,
  async (ports: ProjectPorts, { caller, project }, change) => {
    const settings = await ports.hosts.changeSettings(project, change, caller)
    return projectBody(ports, (await findProject(ports.store.db, project.id)) ?? { ...project, settings })
  },
)
