import { z } from 'zod'
import { mostComments } from '../forge.ts'
import type { Comment } from '../forge.ts'
import { isOurs } from '../comment-marker.ts'
import { hostTime } from '../http/host-time.ts'
import { newestPages } from '../http/newest-pages.ts'
import type { GitHubRepository } from './github-repository.ts'
import { createWriteCheck } from './may-write.ts'
import { issuePath, requestPath } from './pull-requests.ts'

const author = z.object({ login: z.string(), type: z.string().nullish() }).nullish()
const said = {
  id: z.number(),
  body: z.string().nullish(),
  user: author,
  author_association: z.string().nullish(),
}
const issueComment = z.object({ ...said, created_at: hostTime })
const reviewComment = z.object({
  ...said,
  created_at: hostTime,
  path: z.string().nullish(),
  line: z.number().nullish(),
  original_line: z.number().nullish(),
})
const review = z.object({ ...said, state: z.string().nullish(), submitted_at: hostTime.nullish() })

type Said = z.output<typeof issueComment>
type Found = Omit<Comment, 'trusted'> & { association: string | undefined }

const pageSize = 100

/** What people said: comments, comments on lines, and what they wrote over a review. Bots and we are left out. */
export function readComments(
  repository: GitHubRepository,
  number: number,
  since: Date | undefined,
): Promise<Comment[]> {
  const what = `read the comments of pull request ${number} of ${repository.path}`
  return repository.client.operation(what, async (api) => {
    // GitHub goes by the last edit, which is never before the making.
    const query = { since: since?.toISOString(), per_page: pageSize }
    const isOld = (made: Date | null | undefined) => Boolean(made && since && made < since)
    const byTime = () =>
      newestPages<{ created_at: Date }>(mostComments, ({ created_at }) => isOld(created_at))
    const request = requestPath(repository, number)
    const [comments, onLines, reviews] = await Promise.all([
      api.list(`${issuePath(repository, number)}/comments`, issueComment, { query, ...byTime() }),
      api.list(`${request}/comments`, reviewComment, {
        query: { ...query, sort: 'created', direction: 'asc' },
        ...byTime(),
      }),
      api.list(`${request}/reviews`, review, {
        query: { per_page: pageSize },
        ...newestPages(mostComments, ({ submitted_at }) => isOld(submitted_at)),
      }),
    ])
    const found = [
      ...comments.flatMap((comment) => toFound('comment', comment)),
      ...onLines.flatMap((comment) =>
        toFound('line', comment, {
          path: comment.path ?? undefined,
          line: comment.line ?? comment.original_line ?? undefined,
        }),
      ),
      // One without a time has not been sent yet.
      ...reviews.flatMap(({ submitted_at: sent, ...rest }) =>
        sent ? toFound('review', { ...rest, created_at: sent }) : [],
      ),
    ]
    const mayWrite = createWriteCheck(api, repository)
    const result: Comment[] = []
    for (const { association, ...comment } of found
      .filter(({ createdAt }) => since === undefined || createdAt >= since)
      .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || numberOf(a) - numberOf(b))
      .slice(-mostComments)) {
      result.push({ ...comment, trusted: await mayWrite(comment.author, association) })
    }
    return result
  })
}

function numberOf({ id }: Found): number {
  return Number(id.split('-')[1])
}

/** `kind` stands in the id, for each kind counts on its own and is answered at another place. */
function toFound(
  kind: 'comment' | 'line' | 'review',
  { id, body, user, author_association, created_at }: Said,
  place: Pick<Comment, 'path' | 'line'> = {},
): Found[] {
  if (!body || isOurs(body) || user?.type === 'Bot') return []
  return [
    {
      id: `${kind}-${id}`,
      // Accounts that are gone are called so.
      author: user?.login ?? 'ghost',
      body,
      createdAt: created_at,
      association: author_association ?? undefined,
      ...place,
    },
  ]
}
