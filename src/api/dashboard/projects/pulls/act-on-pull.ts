import type { Project } from '../../../../features/projects/projects.ts'
import type { Endpoint } from '../../../endpoint.ts'
import { form as postForm, projectOf } from '../../page.ts'
import type { DashboardPorts } from '../../ports.ts'
import { fieldOf } from '../../read-form.ts'
import { findPull, noSuchPull } from './find-pull.ts'

/** The forms of a pull request's page; each leads back to it. */
export function actOnPullEndpoints(ports: DashboardPorts): Endpoint[] {
  return [
    action(ports, 'merge', 'merged', (project, number) => ports.pullRequests.merge(project, number)),
    action(ports, 'close', 'closed', (project, number) => ports.pullRequests.close(project, number)),
    action(ports, 'comment', 'commented', (project, number, form) =>
      ports.pullRequests.comment(project, number, fieldOf(form, 'body')),
    ),
  ]
}

function action(
  ports: DashboardPorts,
  verb: string,
  done: string,
  act: (project: Project, number: number, form: URLSearchParams) => Promise<void>,
): Endpoint {
  return postForm(ports, `/projects/{domain}/pulls/{number}/${verb}`, async ({ context, form }) => {
    const project = await projectOf(ports, context)
    const pull = await findPull(ports, context, project)
    if (!pull) throw noSuchPull()
    await act(project, pull.number, form)
    return context.redirect(`/projects/${project.domain}/pulls/${pull.number}?done=${done}`, 303)
  })
}
