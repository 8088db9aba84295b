import type { Access } from '../../api/access.ts'
import { operations } from '../../api/description/operation.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { findProject } from '../../features/projects/projects.ts'
import { settingsChange } from '../../features/projects/settings/schemas.ts'
import { projectBody, type ProjectPorts } from '../projects/present-project.ts'
import { oneProject } from '../projects/verbs.ts'

/** Settings have a table instead of verbs: one operation changes them all, and null clears one. */
export function settingsEndpoint(ports: ProjectPorts & { access: Access }): Endpoint {
  const { onProject } = operations(ports.access, 'Projects')
  return onProject('changeSettings', 'patch /admin/projects/{domain}/settings', 'Change settings', {
    description: 'Null removes a setting, an absent field leaves it unchanged.',
    body: settingsChange,
    answer: [200, 'The project', oneProject],
    async handle({ caller, project, body: change }) {
      const settings = await ports.hosts.changeSettings(project, change, caller)
      return projectBody(ports, (await findProject(ports.store.db, project.id)) ?? { ...project, settings })
    },
  })
}
