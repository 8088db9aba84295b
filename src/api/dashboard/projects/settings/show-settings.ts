import type { Endpoint } from '../../../endpoint.ts'
import { page, projectOf } from '../../page.ts'
import type { DashboardPorts } from '../../ports.ts'
import { settingsPage } from './settings-page.ts'

export function showSettingsEndpoint(ports: DashboardPorts): Endpoint {
  return page(ports, '/projects/{domain}/settings', async (visit) =>
    settingsPage(ports, visit, await projectOf(ports, visit.context)),
  )
}
