import { addMessage } from '../../../../features/agent/add-message.ts'
import { archiveJob } from '../../../../features/agent/archive-job.ts'
import { cancelJob } from '../../../../features/agent/cancel-job.ts'
import type { Job } from '../../../../features/agent/jobs.ts'
import { limits, takeLimits } from '../../../../features/projects/limits.ts'
import type { Project } from '../../../../features/projects/projects.ts'
import { hasUnstorable } from '../../../../lib/plain-text.ts'
import type { Endpoint } from '../../../endpoint.ts'
import { form, projectOf } from '../../page.ts'
import type { DashboardPorts } from '../../ports.ts'
import { noSuchJob, readPrompt } from './read-prompt.ts'

/** The forms of a job's page; each leads back to it. */
export function actOnJobEndpoints(ports: DashboardPorts): Endpoint[] {
  return [
    action(ports, 'message', 'message', (project, id, form) =>
      addMessage(ports, project, id, { prompt: readPrompt(form) }, (tx) =>
        takeLimits(tx, [{ limit: limits.jobMessage, subject: project.id }]),
      ),
    ),
    action(ports, 'cancel', 'cancelled', (project, id) => cancelJob(ports.store, project, id)),
    action(ports, 'archive', 'archived', (project, id) => archiveJob(ports.store, project, id)),
  ]
}

function action(
  ports: DashboardPorts,
  verb: string,
  done: string,
  act: (project: Project, id: string, form: URLSearchParams) => Promise<Job | undefined>,
): Endpoint {
  return form(ports, `/projects/{domain}/jobs/{id}/${verb}`, async ({ context, form }) => {
    const project = await projectOf(ports, context)
    const id = context.req.param('id') ?? ''
    const job = hasUnstorable(id) ? undefined : await act(project, id, form)
    if (!job) throw noSuchJob()
    return context.redirect(`/projects/${project.domain}/jobs/${job.id}?done=${done}`, 303)
  })
}
