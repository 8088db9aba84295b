import { addMessage } from '../../../../features/agent/add-message.ts'
import { archiveJob } from '../../../../features/agent/archive-job.ts'
import { cancelJob } from '../../../../features/agent/cancel-job.ts'
import { createJob } from '../../../../features/agent/create-job.ts'
import type { Job } from '../../../../features/agent/jobs.ts'
import { limits, takeLimits } from '../../../../features/projects/limits.ts'
import type { Project } from '../../../../features/projects/projects.ts'
import { AppError } from '../../../../lib/errors.ts'
import { hasUnstorable } from '../../../../lib/plain-text.ts'
import type { Endpoint } from '../../../endpoint.ts'
import { notFound } from '../../../errors.ts'
import { projectForm } from '../../page.ts'
import type { DashboardPorts } from '../../ports.ts'
import { fieldOf } from '../../read-form.ts'

/** What they start counts against the same limits as over HTTP. */
export function jobForms(ports: DashboardPorts): Endpoint[] {
  return [
    projectForm(ports, '/projects/{domain}/jobs', 'createJob', async ({ context, project, form }) => {
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
    }),
    action(ports, ['sendMessage', 'message', 'message'], (project, id, form) =>
      addMessage(ports, project, id, { prompt: readPrompt(form) }, (tx) =>
        takeLimits(tx, [{ limit: limits.jobMessage, subject: project.id }]),
      ),
    ),
    action(ports, ['cancelJob', 'cancel', 'cancelled'], (project, id) => cancelJob(ports.store, project, id)),
    action(ports, ['archiveJob', 'archive', 'archived'], (project, id) =>
      archiveJob(ports.store, project, id),
    ),
  ]
}

/** A form of a job's page, which leads back to it. */
function action(
  ports: DashboardPorts,
  [verb, path, done]: ['sendMessage' | 'cancelJob' | 'archiveJob', path: string, done: string],
  act: (project: Project, id: string, form: URLSearchParams) => Promise<Job | undefined>,
): Endpoint {
  return projectForm(
    ports,
    `/projects/{domain}/jobs/{id}/${path}`,
    verb,
    async ({ context, project, form }) => {
      const id = context.req.param('id') ?? ''
      const job = hasUnstorable(id) ? undefined : await act(project, id, form)
      if (!job) throw notFound('job', id)
      return context.redirect(`/projects/${project.domain}/jobs/${job.id}?done=${done}`, 303)
    },
  )
}

/** @throws AppError `invalid` by the same rule as the API */
function readPrompt(form: URLSearchParams): string {
  const prompt = fieldOf(form, 'prompt')
  if (prompt === '') throw new AppError('invalid', 'The prompt is empty; say what should change')
  if (prompt.length > 100_000)
    throw new AppError('invalid', 'The prompt is longer than 100,000 characters; shorten it')
  return prompt
}
