import { showCommitEndpoint } from './commits.ts'
import { getImageEndpoint } from './get-image.ts'

/** What a job has changed, as its page, its pull request, and its commits show it. */
export const changes = { endpoints: [], pages: [showCommitEndpoint, getImageEndpoint] } as const
