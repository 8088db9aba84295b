import { postOldMessageEndpoint } from '../../api/discovery/v1/assistant/post-message.ts'
import { postPageEndpoint } from '../../api/discovery/v1/page/post-page.ts'
import { postSearchEndpoint } from '../../api/discovery/v1/search/post-search.ts'
import { getStartersEndpoint } from '../../api/discovery/v2/assistant/get-starters.ts'
import { postFeedbackEndpoint } from '../../api/discovery/v2/assistant/post-feedback.ts'
import { postMessageEndpoint, resumeAnswerEndpoint } from '../../api/discovery/v2/assistant/post-message.ts'
import { doorOf } from '../../verbs/http.ts'
import { askPlaygroundEndpoint, showPlaygroundEndpoint } from './playground/playground.ts'
import { traceDeeds } from './run.ts'
import type { Project } from '../../features/projects/projects.ts'

/** Questions on the documentation, search, and what readers think of the answers. */
export const assistant = {
  endpoints: [
    postMessageEndpoint<Project>,
    resumeAnswerEndpoint<Project>,
    postOldMessageEndpoint<Project>,
    postFeedbackEndpoint<Project>,
    getStartersEndpoint<Project>,
    postSearchEndpoint<Project>,
    postPageEndpoint<Project>,
    doorOf(traceDeeds),
  ],
  pages: [showPlaygroundEndpoint, askPlaygroundEndpoint],
} as const
