import { z } from 'zod'
import { mostComments, type Comment, type CommentPlace } from '../forge.ts'
import { commentPlace, placeOf } from './comment-place.ts'
import { hasMarker, isOurs, markComment } from '../comment-marker.ts'
import { hostTime } from '../http/host-time.ts'
import type { GitHubRepository } from './github-repository.ts'
import { issuePath, requestPath } from './pull-requests.ts'
import { apiPath } from '../http/api-path.ts'
import type { HostApi, PageReader } from '../http/host-client.ts'
import { HostFailure } from '../http/host-failure.ts'
import { repositoryPath } from './github-api.ts'
import { lastPage } from '../http/next-page.ts'

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
  ...commentPlace,
})
const review = z.object({ ...said, state: z.string().nullish(), submitted_at: hostTime.nullish() })

type Said = z.output<typeof issueComment>
type Found = Omit<Comment, 'trusted'> & { association: string | undefined }

const pageSize = 100

/**
 * What people wrote: comments, comments on lines, and texts of reviews. Comments of bots and of this server are
 * left out.
 */
export function readComments(
  repository: GitHubRepository,
  number: number,
  since: Date | undefined,
): Promise<Comment[]> {
  const what = `read the comments of pull request ${number} of ${repository.path}`
  return repository.client.operation(what, async (api) => {
    // GitHub filters by the time of the last edit, which is never before the comment was made.
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
    const all = [
      ...comments.flatMap((comment) => toFound('comment', comment)),
      ...onLines.flatMap((comment) =>
        toFound('line', comment, {
          path: comment.path ?? undefined,
          ...placeOf(comment),
        }),
      ),
      // A review without a time was not submitted yet.
      ...reviews.flatMap(({ submitted_at: sent, ...rest }) =>
        sent ? toFound('review', { ...rest, created_at: sent }) : [],
      ),
    ]
    const mayWrite = createWriteCheck(api, repository)
    const result: Comment[] = []
    for (const { association, ...comment } of all
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

/** The id begins with the kind, because each kind has its own numbers and endpoints. */
function toFound(
  kind: 'comment' | 'line' | 'review',
  { id, body, user, author_association, created_at }: Said,
  place: CommentPlace = {},
): Found[] {
  if (!body || isOurs(body) || user?.type === 'Bot') return []
  return [
    {
      id: `${kind}-${id}`,
      // The name that deleted accounts are shown with.
      author: user?.login ?? 'ghost',
      body,
      createdAt: created_at,
      association: author_association ?? undefined,
      ...place,
    },
  ]
}

const permission = z.object({ permission: z.string() })
const mostAsked = 30

/**
 * Whether someone may write to the repository, asked once for each person; undefined when GitHub does not tell. The
 * association of a comment's author is not enough: members and collaborators may be allowed to read only, and
 * private members look like strangers.
 */
function createWriteCheck(
  api: HostApi,
  repository: GitHubRepository,
): (login: string, association: string | undefined) => Promise<boolean | undefined> {
  const known = new Map<string, boolean | undefined>()
  return async (login, association) => {
    if (association === 'OWNER') return true
    if (login === 'ghost') return false
    if (known.has(login)) return known.get(login)
    // The number of requests at once is limited: the next look asks for the rest.
    if (known.size >= mostAsked) return undefined
    const answer = await ask(api, repository, login)
    known.set(login, answer)
    return answer
  }
}

async function ask(api: HostApi, repository: GitHubRepository, login: string): Promise<boolean | undefined> {
  const path = `${repositoryPath(repository.path)}${apiPath`/collaborators/${login}/permission`}`
  try {
    const granted = await api.find(path, permission)
    // GitHub reports "maintain" as "write" and "triage" as "read".
    return granted?.permission === 'admin' || granted?.permission === 'write'
  } catch (error) {
    // Passing failures are thrown, because the comment would be ignored otherwise.
    if (error instanceof HostFailure && error.code === 'forbidden') return undefined
    throw error
  }
}

const comment = z.object({ id: z.number(), body: z.string().nullish() })

export async function postComment(
  repository: GitHubRepository,
  number: number,
  body: string,
  marker: string,
): Promise<void> {
  const path = `${issuePath(repository, number)}/comments`
  await repository.client.operation(
    `comment on pull request ${number} of ${repository.path}`,
    async (api) => {
      const find = async (): Promise<z.output<typeof comment> | undefined> => {
        const all = await api.list(path, comment, { query: { per_page: 100 }, max: 1000 })
        return all.find((item) => hasMarker(item.body ?? '', marker))
      }
      return (await find()) ?? api.create(path, { body: markComment(body, marker) }, comment, find)
    },
  )
}

/** Adding the same reaction again changes nothing. A review's own text cannot have reactions on GitHub. */
export async function react(repository: GitHubRepository, number: number, commentId: string): Promise<void> {
  const [, kind, id] = /^(comment|line)-(\d{1,19})$/.exec(commentId) ?? []
  if (kind === undefined || id === undefined) return
  const comments = kind === 'line' ? 'pulls' : 'issues'
  const path = `${repositoryPath(repository.path)}/${comments}${apiPath`/comments/${id}/reactions`}`
  await repository.client.operation(`react to a comment on pull request ${number}`, (api) =>
    api.replace('POST', path, { content: 'eyes' }, z.unknown()),
  )
}

type ListOptions<Item> = { max: number; pages: PageReader; until: (items: Item[]) => boolean }

/**
 * Reads the newest items of a list that a host gives oldest first: the first page, which links the last one, and
 * then backwards until an item is old or there are `enough`. The result has no order and may hold a few items more.
 */
function newestPages<Item>(enough: number, isOld: (item: Item) => boolean): ListOptions<Item> {
  let isFirst = true
  let read = 0
  return {
    // `until` is only asked after a whole page: within a page, the newest items would be cut off.
    max: Number.POSITIVE_INFINITY,
    pages({ body, headers, query }) {
      const page = Number(query['page'] ?? 1)
      const next = page === 1 ? (lastPage(headers) ?? 1) : page - 1
      return { items: body, next: next > 1 ? { ...query, page: next } : undefined }
    },
    until(items) {
      if (isFirst) {
        isFirst = false
        return false
      }
      read += items.length
      return read >= enough || items.some(isOld)
    },
  }
}
