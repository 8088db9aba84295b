import type { Endpoint } from '../../api/endpoint.ts'
import type { Pages } from '../../api/frame/pages.ts'
import { fieldOf } from '../../api/frame/read-form.ts'
import { ignorePrompt } from '../../features/docs/problems/ignore-prompt.ts'
import { fixPrompt } from '../../features/docs/problems/fix-prompt.ts'
import { AppError } from '../../lib/errors.ts'
import { siteProblemKinds } from '../../site/checks/whole/site-problem.ts'
import { verbForm } from '../../verbs/form.ts'
import { createJob, type OncePorts } from '../jobs/once.ts'
import { ignoreProblems } from './ignore-job.ts'
import { showProblemsEndpoint, type ProblemPorts } from './page.ts'
import { checkProblems } from './run.ts'

type Ports = ProblemPorts & OncePorts

/** The page of the problems, a form that checks the site again, and one that starts a job which fixes some. */
export function problemPages(pages: Pages, ports: Ports): Endpoint[] {
  const path = '/projects/{domain}/problems'
  const page = showProblemsEndpoint(pages, ports)
  return [
    page,
    verbForm(pages, ports, `${path}/check`, checkProblems, {
      shownOn: page,
      given: () => ({}),
      done: ({ context, project }) => context.redirect(`/projects/${project.domain}/problems`, 303),
    }),
    verbForm(pages, ports, `${path}/fix`, createJob, {
      shownOn: page,
      given: ({ form }) => ({ prompt: chosenPrompt(form) }),
      done: ({ context, project }, { id }) => context.redirect(`/projects/${project.domain}/jobs/${id}`, 303),
    }),
    verbForm(pages, ports, `${path}/ignore`, ignoreProblems, {
      shownOn: page,
      // A person's press, and no words of a model: the policy opens the file for nothing else.
      given: ({ form }) => ({ prompt: ignoredPrompt(form), model: 'builtin' }),
      done: ({ context, project }, { id }) => context.redirect(`/projects/${project.domain}/jobs/${id}`, 303),
    }),
  ]
}

function ignoredPrompt(form: URLSearchParams): string {
  const kind = siteProblemKinds.find((one) => one === fieldOf(form, 'kind'))
  const path = form.get('path') ?? undefined
  const prompt = kind && ignorePrompt(kind, path, form.get('text') ?? undefined)
  if (prompt === undefined)
    throw new AppError('invalid', 'Choose what to ignore from the list; it may have changed in the meantime')
  return prompt
}

function chosenPrompt(form: URLSearchParams): string {
  const kind = siteProblemKinds.find((one) => one === fieldOf(form, 'kind'))
  const prompt = kind && fixPrompt(kind, form.get('path') ?? undefined)
  if (prompt === undefined)
    throw new AppError('invalid', 'Choose what to fix from the list; it may have changed in the meantime')
  return prompt
}
