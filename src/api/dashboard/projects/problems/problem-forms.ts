import { createJob } from '../../../../features/agent/create-job.ts'
import type { JobPorts } from '../../../../features/agent/ports.ts'
import { fixPrompt } from '../../../../features/docs/problems/fix-prompt.ts'
import type { SiteChecks } from '../../../../features/docs/problems/site-checks.ts'
import { askedBy } from '../../../../features/projects/allow.ts'
import { countLimits, limits, useBy } from '../../../../features/projects/limits.ts'
import { AppError } from '../../../../lib/errors.ts'
import { siteProblemKinds } from '../../../../site/checks/whole/site-problem.ts'
import type { PageLists } from '../../../docs/navigation/page-list.ts'
import type { Endpoint } from '../../../endpoint.ts'
import type { Pages } from '../../../frame/pages.ts'
import { fieldOf } from '../../../frame/read-form.ts'
import { showProblemsEndpoint } from './show-problems.ts'

interface Ports extends JobPorts {
  now(): Date
  siteChecks: SiteChecks
  pagesOf: PageLists
}

/** Checks the site again, and starts jobs that fix what was found. */
export function problemForms(pages: Pages, ports: Ports): Endpoint[] {
  const path = '/projects/{domain}/problems'
  const page = showProblemsEndpoint(pages, ports)
  return [
    pages.projectForm(
      `${path}/check`,
      'checkProblems',
      async ({ context, project }) => {
        await ports.siteChecks.again(project)
        return context.redirect(`/projects/${project.domain}/problems`, 303)
      },
      page,
    ),
    pages.projectForm(
      `${path}/fix`,
      'createJob',
      async ({ context, caller, project, form }) => {
        const kind = siteProblemKinds.find((one) => one === fieldOf(form, 'kind'))
        const file = form.get('path') ?? undefined
        const prompt = kind && fixPrompt(kind, file)
        if (prompt === undefined)
          throw new AppError(
            'invalid',
            'Choose what to fix from the list; it may have changed in the meantime',
          )
        const job = await createJob(ports, project, { prompt, askedBy: askedBy(caller) }, (tx) =>
          countLimits(tx, [useBy(project, limits.jobCreate)]),
        )
        return context.redirect(`/projects/${project.domain}/jobs/${job.id}`, 303)
      },
      page,
    ),
  ]
}
