import { baseOf } from '../../api/frame/assistant-tab.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import type { Pages } from '../../api/frame/pages.ts'
import type { RecentAnalytics } from '../../features/assistant/insights/recent-analytics.ts'
import type { SearchLog } from '../../features/assistant/insights/searches.ts'
import { verbForm } from '../../verbs/form.ts'
import type { OncePorts } from '../jobs/once.ts'
import * as deeds from './run.ts'

type Ports = OncePorts & { searchLog: Pick<SearchLog, 'flush'>; analytics: RecentAnalytics }

/** The forms that delete what readers wrote, and that make a job of an answer. */
export function insightForms(pages: Pages, ports: Ports): Endpoint[] {
  const path = '/projects/{domain}/assistant'
  return [
    verbForm(pages, ports, `${path}/conversations/{thread}/delete`, deeds.deleteThreads, {
      given: ({ context }) => ({ id: context.req.param('thread') ?? '' }),
      done({ context, project }) {
        ports.analytics.forget(project.id)
        return context.redirect(`${baseOf(project)}/conversations?done=conversation-deleted`, 303)
      },
    }),
    verbForm(pages, ports, `${path}/people/delete`, deeds.deleteThreads, {
      given: ({ form }) => ({ fp: form.get('fp') ?? '' }),
      done({ context, project }) {
        ports.analytics.forget(project.id)
        return context.redirect(`${baseOf(project)}/conversations?done=person-deleted`, 303)
      },
    }),
    verbForm(pages, ports, '/projects/{domain}/jobs/new', deeds.createAnswerJob, {
      typed: { only: ['prompt', 'base', 'draft'], required: ['prompt'] },
      shownOn: pages.at('/projects/{domain}/jobs/new'),
      given: ({ form }) => ({ thread: form.get('thread') ?? '', question: form.get('question') ?? '' }),
      done: ({ context, project }, { id }) => context.redirect(`/projects/${project.domain}/jobs/${id}`, 303),
    }),
  ]
}
