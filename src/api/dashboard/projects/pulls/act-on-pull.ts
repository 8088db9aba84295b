import type { Project } from '../../../../features/projects/projects.ts'
import type { Endpoint } from '../../../endpoint.ts'
import { form, projectOf } from '../../page.ts'
import type { DashboardPorts } from '../../ports.ts'
import { findPull, noSuchPull } from './find-pull.ts'

/** The forms of a pull request's page; both lead back to it. */
export function actOnPullEndpoints(ports: DashboardPorts): Endpoint[] {
  return [
    action(ports, 'merge', 'merged', (project, number) => ports.pullRequests.merge(project, number)),
    action(ports, 'close', 'closed', (project, number) => ports.pullRequests.close(project, number)),
  ]
}

function action(
  ports: DashboardPorts,
  verb: string,
  done: string,
  act: (project: Project, number: number) => Promise<void>,
): Endpoint {
  return form(ports, `/projects/{domain}/pulls/{number}/${verb}`, async ({ context }) => {
    const project = await projectOf(ports, context)
    const pull = await findPull(ports, context, project)
    if (!pull) throw noSuchPull()
    await act(project, pull.number)
    return context.redirect(`/projects/${project.domain}/pulls/${pull.number}?done=${done}`, 303)
  })
}
