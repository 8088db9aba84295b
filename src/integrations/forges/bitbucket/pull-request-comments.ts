import { mostComments, type Comment, type Forge } from '../forge.ts'
import type { CodeRequests, HostedRepository } from '../host.ts'
import type { HostApi } from '../http/host-client.ts'
import { isAnswer } from '../http/host-failure.ts'
import { commentAnswer, nameOf, placeOf, type PullRequestComment } from './bitbucket-answers.ts'
import { hiddenMark, markStart } from './hidden-marks.ts'
import { listPages, type BitbucketRepository } from './bitbucket-repository.ts'
import { createTrust } from './trust.ts'

export interface Comments {
  since: Forge['commentsSince']
  post: HostedRepository['postComment']
  keep: CodeRequests['keepComment']
}

const maxRead = 5000

export function createComments(repository: BitbucketRepository): Comments {
  const { client, path, target } = repository
  const trusts = createTrust(repository)
  const placeFor = (number: number) => `${target}/pullrequests/${number}/comments`
  // Bitbucket does not document an order, so all comments are read.
  const readAll = (api: HostApi, number: number): Promise<PullRequestComment[]> =>
    listPages(api, placeFor(number), commentAnswer, { query: { pagelen: 100 }, max: maxRead })
  return {
    since: (number, since) =>
      client.operation(`read the comments of pull request ${number} in ${path}`, async (api) => {
        const isNew = ({ created_on }: PullRequestComment) => since === undefined || created_on >= since
        const said = (await readAllOrNone(() => readAll(api, number)))
          .filter((comment) => isPersonal(comment) && isNew(comment))
          .sort((one, other) => one.created_on.getTime() - other.created_on.getTime() || one.id - other.id)
        const comments: Comment[] = []
        for (const comment of said.slice(-mostComments)) {
          comments.push(toComment(comment, await trusts(api, comment.user?.uuid)))
        }
        return comments
      }),
    post: (number, body, marker) =>
      client.operation(`comment on pull request ${number} in ${path}`, async (api) => {
        const find = async () =>
          (await readAll(api, number)).find((comment) => hasMarker(textOf(comment), marker))
        if (await find()) return
        const comment = { content: { raw: markComment(body, marker) } }
        await api.create(placeFor(number), comment, commentAnswer, find)
      }),
    keep: (number, body, marker, onlyEdit = false) =>
      client.operation(`comment on pull request ${number} in ${path}`, async (api) => {
        const text = markComment(body, marker)
        const content = { content: { raw: text } }
        const find = async () =>
          (await readAll(api, number)).find(
            (comment) => comment.deleted !== true && hasMarker(textOf(comment), marker),
          )
        const present = await find()
        if (present === undefined) {
          if (!onlyEdit) await api.create(placeFor(number), content, commentAnswer, find)
        } else if (textOf(present).trim() !== text.trim())
          await api.replace('PUT', `${placeFor(number)}/${present.id}`, content, commentAnswer)
      }),
  }
}

async function readAllOrNone<T>(read: () => Promise<T[]>): Promise<T[]> {
  try {
    return await read()
  } catch (error) {
    if (isAnswer(error, 404)) return []
    throw error
  }
}

function isPersonal(comment: PullRequestComment): boolean {
  const { deleted, pending, user } = comment
  return deleted !== true && pending !== true && Boolean(user) && !isOurs(textOf(comment))
}

function textOf({ content }: PullRequestComment): string {
  return content?.raw ?? ''
}

function toComment(comment: PullRequestComment, trusted: boolean | undefined): Comment {
  const { user } = comment
  return {
    id: String(comment.id),
    author: nameOf(user),
    // Several people can have the same nickname.
    account: user?.account_id ?? user?.uuid ?? '',
    // Authors that are apps or access tokens.
    ...(user?.type === 'app_user' && { bot: true as const }),
    body: textOf(comment),
    createdAt: comment.created_on,
    trusted,
    ...placeOf(comment.inline),
  }
}

/** Adds a hidden marker, by which a comment of this server is recognised. */
export function markComment(body: string, marker: string): string {
  return `${markerOf(marker)}\n\n${body}`
}

function hasMarker(body: string, marker: string): boolean {
  return body.startsWith(markerOf(marker))
}

export function isOurs(body: string): boolean {
  return body.startsWith(markStart)
}

function markerOf(marker: string): string {
  return hiddenMark(marker)
}
