import { listJobsEndpoint } from './pages/list-jobs.ts'
import { newJobEndpoint, type NewJobPorts } from './pages/new-job/new-job-page.ts'
import { showJobEndpoint, type JobPagePorts } from './pages/show-job.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import type { Pages, Visit } from '../../api/frame/pages.ts'
import { fieldOf } from '../../api/frame/read-form.ts'
import { aboutChangeForm, promptOfChange, readAboutChange } from '../../features/agent/about-change.ts'
import type { Project } from '../../features/projects/projects.ts'
import { AppError } from '../../lib/errors.ts'
import type { AboutChangeColumn } from '../../store/columns.ts'
import { verbForm } from '../../verbs/form.ts'
import { createJob, sendMessage } from './once.ts'
import * as deeds from './run.ts'

type Ports = JobPagePorts & NewJobPorts & deeds.JobNounPorts

/** The change that a form names in one line, with a prompt where there is none. @throws AppError `invalid` */
function aboutIn(form: URLSearchParams): { about?: AboutChangeColumn; prompt?: string } {
  const typed = fieldOf(form, 'about')
  if (typed === '') return {}
  const about = readAboutChange(typed)
  if (about === undefined) throw new AppError('invalid', `“Code change to document” takes ${aboutChangeForm}`)
  return { about, ...(fieldOf(form, 'prompt') === '' && { prompt: promptOfChange }) }
}

type ProjectVisit = Visit & { project: Project }

const path = '/projects/{domain}/jobs'
const one = `${path}/{id}`

/** The pages of jobs and their forms, which count against the same limits as requests to the API. */
export function jobPages(pages: Pages, ports: Ports): Endpoint[] {
  const list = listJobsEndpoint(pages, ports)
  // Before a job's page, whose address it would be too.
  const newJob = newJobEndpoint(pages, ports)
  const shownOn = showJobEndpoint(pages, ports)
  const jobIn = ({ context }: Visit): { id: string } => ({ id: context.req.param('id') ?? '' })
  const shownAgain =
    (done: string) =>
    ({ context, project }: ProjectVisit, { id }: { id: string }): Response =>
      context.redirect(`/projects/${project.domain}/jobs/${id}?done=${done}`, 303)
  return [
    list,
    newJob,
    shownOn,
    verbForm(pages, ports, path, createJob, {
      typed: { only: ['prompt', 'base', 'draft', 'about'], required: ['prompt'] },
      shownOn: list,
      given: ({ form }) => aboutIn(form),
      done: ({ context, project }, { id }) => context.redirect(`/projects/${project.domain}/jobs/${id}`, 303),
    }),
    verbForm(pages, ports, `${one}/message`, sendMessage, {
      typed: { only: ['prompt'], required: ['prompt'] },
      shownOn,
      given: jobIn,
      done: shownAgain('message'),
    }),
    verbForm(pages, ports, `${one}/publish`, deeds.publishJob, {
      shownOn,
      given: jobIn,
      done: shownAgain('publishing'),
    }),
    verbForm(pages, ports, `${one}/approve`, deeds.approve, {
      typed: { only: ['kind', 'value', 'always'], required: ['value'] },
      shownOn,
      given: jobIn,
      done: shownAgain('allowed'),
    }),
    verbForm(pages, ports, `${one}/cancel`, deeds.cancelJob, {
      shownOn,
      given: jobIn,
      done: shownAgain('cancelled'),
    }),
    verbForm(pages, ports, `${one}/archive`, deeds.archiveJob, {
      shownOn,
      given: jobIn,
      done: shownAgain('archived'),
    }),
  ]
}
