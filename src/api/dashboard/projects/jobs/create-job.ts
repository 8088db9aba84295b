import { createJob } from '../../../../features/agent/create-job.ts'
import { limits, takeLimits } from '../../../../features/projects/limits.ts'
import type { Endpoint } from '../../../endpoint.ts'
import { form, projectOf } from '../../page.ts'
import type { DashboardPorts } from '../../ports.ts'
import { fieldOf } from '../../read-form.ts'
import { readPrompt } from './read-prompt.ts'

/** Counts against the same limit as the API. */
export function createJobFormEndpoint(ports: DashboardPorts): Endpoint {
  return form(ports, '/projects/{domain}/jobs', async ({ context, form }) => {
    const project = await projectOf(ports, context)
    const base = fieldOf(form, 'base')
    const input = {
      prompt: readPrompt(form),
      base: base === '' ? undefined : base,
      draft: form.get('draft') === 'yes',
    }
    const job = await createJob(ports, project, input, (tx) =>
      takeLimits(tx, [{ limit: limits.jobCreate, subject: project.id }]),
    )
    return context.redirect(`/projects/${project.domain}/jobs/${job.id}`, 303)
  })
}
