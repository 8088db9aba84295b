import { addMessage, publishKept } from '../../../../features/agent/add-message.ts'
import { aboutChangeForm, promptOfChange, readAboutChange } from '../../../../features/agent/about-change.ts'
import { approve } from '../../../../features/agent/approve.ts'
import { archiveJob } from '../../../../features/agent/archive-job.ts'
import { cancelJob } from '../../../../features/agent/cancel-job.ts'
import { createJob } from '../../../../features/agent/create-job.ts'
import type { Job } from '../../../../features/agent/jobs.ts'
import type { JobPorts } from '../../../../features/agent/ports.ts'
import { askedBy, nameOf, type Caller } from '../../../../features/projects/allow.ts'
import { limits, countLimits, useBy } from '../../../../features/projects/limits.ts'
import type { Project } from '../../../../features/projects/projects.ts'
import type { AboutChangeColumn } from '../../../../store/columns.ts'
import { AppError } from '../../../../lib/errors.ts'
import { hasUnstorable } from '../../../../lib/text/plain-text.ts'
import type { Endpoint } from '../../../endpoint.ts'
import { notFound } from '../../../errors.ts'
import type { Pages } from '../../../frame/pages.ts'
import { fieldOf } from '../../../frame/read-form.ts'
import { answerGone, createAnswerJob, readQuestion } from '../../../v2/insights/create-answer-job.ts'
import { listJobsEndpoint } from './list-jobs.ts'
import { newJobEndpoint, type NewJobPorts } from './new-job/new-job-page.ts'
import { showJobEndpoint, type JobPagePorts } from './show-job.ts'
import { allowAlways } from '../../../../features/projects/settings/update-settings.ts'

type Ports = JobPorts & JobPagePorts & NewJobPorts

/** The forms of jobs. They count against the same limits as requests to the API. */
export function jobForms(pages: Pages, ports: Ports): Endpoint[] {
  return [
    pages.projectForm(
      '/projects/{domain}/jobs',
      'createJob',
      async ({ context, project, caller, form }) => {
        const job = await createJob(ports, project, readNewJob(form, caller), (tx) =>
          countLimits(tx, [useBy(project, limits.jobCreate)]),
        )
        return context.redirect(`/projects/${project.domain}/jobs/${job.id}`, 303)
      },
      listJobsEndpoint(pages, ports),
    ),
    pages.projectForm(
      '/projects/{domain}/jobs/new',
      'createAnswerJob',
      async ({ context, project, caller, form }) => {
        const answer = readQuestion(form.get('thread'), form.get('question'))
        if (!answer) throw answerGone()
        const job = await createAnswerJob(ports, project, answer, readNewJob(form, caller))
        return context.redirect(`/projects/${project.domain}/jobs/${job.id}`, 303)
      },
      newJobEndpoint(pages, ports),
    ),
    action(pages, ports, ['sendMessage', 'message', 'message'], (project, id, form, caller) =>
      addMessage(ports, project, id, { prompt: readPrompt(form), askedBy: askedBy(caller) }, (tx) =>
        countLimits(tx, [useBy(project, limits.jobMessage)]),
      ),
    ),
    action(pages, ports, ['publishJob', 'publish', 'publishing'], (project, id, _form, caller) =>
      publishKept(
        ports,
        project,
        id,
        (tx) => countLimits(tx, [useBy(project, limits.jobMessage)]),
        askedBy(caller),
      ),
    ),
    action(pages, ports, ['approve', 'approve', 'allowed'], (project, id, form, caller) => {
      const kind = fieldOf(form, 'kind') === 'import' ? ('import' as const) : ('host' as const)
      const approval = { kind, value: fieldOf(form, 'value') }
      return approve(
        ports,
        project,
        id,
        { ...approval, by: nameOf(caller), askedBy: askedBy(caller) },
        (tx) => countLimits(tx, [useBy(project, limits.jobMessage)]),
        async (tx) => (form.get('always') === 'yes' ? allowAlways(tx, project.id, approval) : undefined),
      )
    }),
    action(pages, ports, ['cancelJob', 'cancel', 'cancelled'], (project, id, _form, caller) =>
      cancelJob(ports.store, project, id, nameOf(caller)),
    ),
    action(pages, ports, ['archiveJob', 'archive', 'archived'], (project, id) =>
      archiveJob(ports.store, project, id),
    ),
  ]
}

/** A form of a job's page, which leads back to that page. */
function action(
  pages: Pages,
  ports: Ports,
  [verb, path, done]: [
    'sendMessage' | 'publishJob' | 'approve' | 'cancelJob' | 'archiveJob',
    path: string,
    done: string,
  ],
  act: (project: Project, id: string, form: URLSearchParams, caller: Caller) => Promise<Job | undefined>,
): Endpoint {
  return pages.projectForm(
    `/projects/{domain}/jobs/{id}/${path}`,
    verb,
    async ({ context, caller, project, form }) => {
      const id = context.req.param('id') ?? ''
      const job = hasUnstorable(id) ? undefined : await act(project, id, form, caller)
      if (!job) throw notFound('job', id)
      return context.redirect(`/projects/${project.domain}/jobs/${job.id}?done=${done}`, 303)
    },
    showJobEndpoint(pages, ports),
  )
}

function readNewJob(form: URLSearchParams, caller: Caller) {
  const base = fieldOf(form, 'base')
  const about = readAbout(form)
  return {
    prompt: about !== undefined && fieldOf(form, 'prompt') === '' ? promptOfChange : readPrompt(form),
    about,
    base: base === '' ? undefined : base,
    draft: form.get('draft') === 'yes',
    askedBy: askedBy(caller),
  }
}

/** @throws AppError `invalid` for what names no change */
function readAbout(form: URLSearchParams): AboutChangeColumn | undefined {
  const given = fieldOf(form, 'about')
  const about = readAboutChange(given)
  if (given === '' || about !== undefined) return about
  throw new AppError('invalid', `“Change of code” takes ${aboutChangeForm}`)
}

/** @throws AppError `invalid` by the same rule as the API */
function readPrompt(form: URLSearchParams): string {
  const prompt = fieldOf(form, 'prompt')
  if (prompt === '') throw new AppError('invalid', 'The prompt is empty; say what should change')
  if (prompt.length > 100_000)
    throw new AppError('invalid', 'The prompt is longer than 100,000 characters; shorten it')
  return prompt
}
