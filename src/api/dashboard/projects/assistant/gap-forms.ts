import type { JobPorts } from '../../../../features/agent/ports.ts'
import { changeGap, mergeGaps } from '../../../../features/assistant/gaps/gaps.ts'
import { askedBy } from '../../../../features/projects/allow.ts'
import type { Project } from '../../../../features/projects/projects.ts'
import type { Verb } from '../../../../features/projects/rights.ts'
import { AppError } from '../../../../lib/errors.ts'
import { checkInput, labelledField } from '../../../../lib/text/issue-sentence.ts'
import type { Endpoint } from '../../../endpoint.ts'
import type { Pages } from '../../../frame/pages.ts'
import { fieldOf } from '../../../frame/read-form.ts'
import { createGapJob } from '../../../v2/insights/create-gap-job.ts'
import { gapChange } from '../../../v2/insights/gaps.ts'
import { baseOf } from './assistant-page.ts'
import { gapIdIn, showGapEndpoint } from './show-gap.ts'

interface Ports extends JobPorts {
  now(): Date
}

/** The forms of a gap's page. */
export function gapForms(pages: Pages, ports: Ports): Endpoint[] {
  const { store } = ports
  const action = (
    verb: Verb,
    path: string,
    done: string,
    act: (project: Project, id: string, form: URLSearchParams) => Promise<void>,
  ): Endpoint =>
    pages.projectForm(
      `/projects/{domain}/assistant/gaps/{gap}/${path}`,
      verb,
      async ({ context, project, form }) => {
        const id = gapIdIn(context)
        await act(project, id, form)
        return context.redirect(`${baseOf(project)}/gaps/${id}?done=${done}`, 303)
      },
      showGapEndpoint(pages, ports),
    )
  const change = (project: Project, id: string, asked: unknown): Promise<void> => {
    const wanted = checkInput(gapChange, asked, labelledField)
    return store.transaction((tx) => changeGap(tx, project.id, id, wanted))
  }
  return [
    action('changeGap', 'rename', 'gap-named', (project, id, form) =>
      change(project, id, { name: fieldOf(form, 'name') }),
    ),
    action('changeGap', 'dismiss', 'gap-dismissed', (project, id, form) =>
      change(project, id, {
        dismissed: true,
        reason: fieldOf(form, 'reason') || undefined,
        returnsAfter: Number(fieldOf(form, 'returnsAfter')) || undefined,
      }),
    ),
    action('changeGap', 'reopen', 'gap-reopened', (project, id) => change(project, id, { dismissed: false })),
    action('mergeGaps', 'merge', 'gap-merged', async (project, id, form) => {
      const from = fieldOf(form, 'from')
      if (from === id || from === '') throw new AppError('invalid', 'Choose another gap')
      await store.transaction((tx) => mergeGaps(tx, project.id, from, id))
    }),
    pages.projectForm(
      '/projects/{domain}/assistant/gaps/{gap}/job',
      'createGapJob',
      async ({ context, caller, project, form }) => {
        const instructions = fieldOf(form, 'instructions')
        if (instructions.length > 10_000)
          throw new AppError('invalid', 'That is longer than 10,000 characters; shorten it')
        const { job } = await createGapJob(ports, project, gapIdIn(context), {
          instructions: instructions || undefined,
          draft: form.get('draft') === 'yes',
          askedBy: askedBy(caller),
        })
        return context.redirect(`/projects/${project.domain}/jobs/${job.id}`, 303)
      },
      showGapEndpoint(pages, ports),
    ),
  ]
}
