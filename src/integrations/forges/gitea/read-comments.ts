import { z } from 'zod'
import { mostComments, type Comment, type CommentPlace, type Forge } from '../forge.ts'
import { isOurs } from '../comment-marker.ts'
import { apiPath } from '../http/api-path.ts'
import type { HostApi } from '../http/host-client.ts'
import { hostTime } from '../http/host-time.ts'
import { rememberAnswers } from '../http/remember-answers.ts'
import { byNumber, pageSize, type GiteaRepository } from './gitea-repository.ts'
import { createWriteCheck } from './writers.ts'
import { issuePath, requestPath } from './pull-requests.ts'

const author = z.object({ login: z.string() }).nullish()
const comment = z.object({ id: z.number(), body: z.string().nullish(), user: author, created_at: hostTime })
const lineComment = comment.extend({
  path: z.string().nullish(),
  // The line on the new side of the diff; the other field has the line on the old side. Zero means none.
  position: z.number().nullish(),
  original_position: z.number().nullish(),
})
const review = z.object({
  id: z.number(),
  body: z.string().nullish(),
  user: author,
  state: z.string().nullish(),
  submitted_at: hostTime.nullish(),
  comments_count: z.number().nullish(),
  // The head that was reviewed. The commit of a comment is the one that wrote the line, where its number may differ.
  commit_id: z.string().nullish(),
  stale: z.boolean().nullish(),
})

type Found = Omit<Comment, 'trusted'>
/** Keeps the comments of a review for five minutes, as long as their number does not change. */
type Remember = ReturnType<typeof rememberAnswers<Found[]>>

const mostReviews = 1000

/**
 * What people wrote: comments, texts of reviews, and review comments on lines. Comments of this server are left
 * out.
 */
export function createCommentReader(repository: GiteaRepository): Forge['commentsSince'] {
  const remember = rememberAnswers<Found[]>(repository.ports)
  return (number, since) => readComments(repository, remember, number, since)
}

function readComments(
  repository: GiteaRepository,
  remember: Remember,
  number: number,
  since: Date | undefined,
): Promise<Comment[]> {
  const what = `read the comments of pull request ${number} of ${repository.path}`
  return repository.client.operation(what, async (api) => {
    // Gitea filters by the time of the last edit, in whole seconds, and gives all comments at once.
    const query = { since: since && `${since.toISOString().slice(0, 19)}Z` }
    const comments = await api.get(`${issuePath(repository, number)}/comments`, comment.array(), query)
    const all = [
      ...comments.flatMap((item) => toFound(`comment-${item.id}`, item)),
      ...(await readReviews(api, repository, remember, number)),
    ]
    const mayWrite = createWriteCheck(api, repository)
    const result: Comment[] = []
    for (const item of all
      .filter(({ createdAt }) => since === undefined || createdAt >= since)
      .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || numberOf(a) - numberOf(b))
      .slice(-mostComments)) {
      const trusted = await mayWrite(item.author)
      result.push({ ...item, trusted, ...(isBot(item.author) && { bot: true as const }) })
    }
    return result
  })
}

// An answer to a comment on a line belongs to the review of that comment, however old it is, so all reviews are
// read.
async function readReviews(
  api: HostApi,
  repository: GiteaRepository,
  remember: Remember,
  number: number,
): Promise<Found[]> {
  const path = `${requestPath(repository, number)}/reviews`
  const reviews = await api.list(path, review, {
    query: { limit: pageSize },
    max: mostReviews,
    pages: byNumber,
  })
  const comments: Found[] = []
  for (const { id, state, submitted_at: sent, comments_count: count, ...said } of reviews) {
    if (state === 'PENDING' || state === 'REQUEST_REVIEW') continue
    if (sent) comments.push(...toFound(`review-${id}`, { ...said, created_at: sent }))
    if (count === 0) continue
    const read = () => readLineComments(api, `${path}${apiPath`/${id}/comments`}`, said)
    comments.push(...(await (count == null ? read() : remember(`${number} ${id} ${count}`, read))))
  }
  return comments
}

async function readLineComments(
  api: HostApi,
  path: string,
  { commit_id: commit, stale }: Pick<z.output<typeof review>, 'commit_id' | 'stale'>,
): Promise<Found[]> {
  const onLines = (await api.find(path, lineComment.array())) ?? []
  return onLines.flatMap((item) => {
    const side = !item.position && item.original_position ? 'old' : undefined
    return toFound(`comment-${item.id}`, item, {
      path: item.path ?? undefined,
      line: item.position || item.original_position || undefined,
      side,
      commit: side === 'old' ? undefined : commit || undefined,
      outdated: stale === true ? true : undefined,
    })
  })
}

function toFound(
  id: string,
  said: { body?: string | null | undefined; user?: z.output<typeof author>; created_at: Date },
  place: CommentPlace = {},
): Found[] {
  const { body, user, created_at } = said
  if (!body || isOurs(body)) return []
  // The name that deleted accounts are shown with.
  return [{ id, author: user?.login ?? 'Ghost', body, createdAt: created_at, ...place }]
}

// Gitea marks its own programs only by these names, which people cannot choose.
function isBot(login: string): boolean {
  return /^(?:gitea|forgejo)-actions$|\[bot\]$/i.test(login)
}

function numberOf({ id }: Found): number {
  return Number(id.split('-')[1])
}
