import { requestSync } from '../../../features/projects/request-sync.ts'
import type { Endpoint } from '../../endpoint.ts'
import { form, projectOf } from '../page.ts'
import type { DashboardPorts } from '../ports.ts'

export function syncProjectEndpoint(ports: DashboardPorts): Endpoint {
  return form(ports, '/projects/{domain}/sync', async ({ context }) => {
    const project = await projectOf(ports, context)
    await ports.store.transaction((tx) => requestSync(tx, ports.queue, project.id))
    return context.redirect(`/projects/${project.domain}?done=sync`, 303)
  })
}
