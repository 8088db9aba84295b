import type { Verb } from '../../../../features/projects/allow.ts'
import type { Project } from '../../../../features/projects/projects.ts'
import { pullOf } from '../../../admin/pulls.ts'
import type { Endpoint } from '../../../endpoint.ts'
import { projectForm } from '../../page.ts'
import type { DashboardPorts } from '../../ports.ts'
import { fieldOf } from '../../read-form.ts'

/** The forms of a pull request's page; each leads back to it. */
export function pullForms(ports: DashboardPorts): Endpoint[] {
  const { pullRequests } = ports
  const action = (
    verb: Verb,
    path: string,
    done: string,
    act: (project: Project, number: number, form: URLSearchParams) => Promise<void>,
  ): Endpoint =>
    projectForm(
      ports,
      `/projects/{domain}/pulls/{number}/${path}`,
      verb,
      async ({ context, project, form }) => {
        const { number } = await pullOf(pullRequests, context, project)
        await act(project, number, form)
        return context.redirect(`/projects/${project.domain}/pulls/${number}?done=${done}`, 303)
      },
    )
  return [
    action('mergePullRequest', 'merge', 'merged', (project, number) => pullRequests.merge(project, number)),
    action('closePullRequest', 'close', 'closed', (project, number) => pullRequests.close(project, number)),
    action('addComment', 'comment', 'commented', (project, number, form) =>
      pullRequests.comment(project, number, fieldOf(form, 'body')),
    ),
  ]
}
