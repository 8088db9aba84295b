import { z } from 'zod'
import type { CommentPlace } from '../forge.ts'
import { commentPlace, placeOf } from './comment-place.ts'
import { isOurs } from '../comment-marker.ts'
import type { HostEvent } from '../host.ts'
import { hostTime } from '../http/host-time.ts'
import { checkSignature, readJsonBody, readPayload } from '../http/webhook-signature.ts'
import { AppError } from '../../../lib/errors.ts'
import type { Webhooks } from '../http/ensure-webhook.ts'
import { isAnswer } from '../http/host-failure.ts'
import { repositoryPath } from './github-api.ts'
import type { GitHubRepository } from './github-repository.ts'

const author = z.object({ login: z.string(), type: z.string().nullish() }).nullish()
const repository = z.object({ full_name: z.string() })
const request = z.object({ number: z.number(), state: z.string(), merged_at: z.string().nullish() })
const said = { id: z.number(), body: z.string().nullish(), user: author }
interface Said {
  body?: string | null | undefined
  user?: z.output<typeof author>
  created_at: Date
}
const push = z.object({ repository, ref: z.string(), after: z.string(), deleted: z.boolean().nullish() })
const pull = z.object({ repository, action: z.string(), pull_request: request })
const issueComment = z.object({
  repository,
  action: z.string(),
  // Only comments on pull requests have the second field.
  issue: z.object({ number: z.number(), pull_request: z.looseObject({}).nullish() }),
  comment: z.object({ ...said, created_at: hostTime }),
})
const lineComment = z.object({
  repository,
  action: z.string(),
  pull_request: z.object({ number: z.number() }),
  comment: z.object({
    ...said,
    created_at: hostTime,
    path: z.string().nullish(),
    ...commentPlace,
  }),
})
const review = z.object({
  repository,
  action: z.string(),
  pull_request: z.object({ number: z.number() }),
  review: z.object({ ...said, submitted_at: hostTime.nullish() }),
})

/** GitHub signs with `X-Hub-Signature-256`. Gitea sends that header too, and is recognised by its own headers. */
export function readWebhook(headers: Headers, body: Uint8Array, secret: string): HostEvent[] {
  return [readEvent(headers, body, secret) ?? []].flat()
}

function readEvent(headers: Headers, body: Uint8Array, secret: string): HostEvent | undefined {
  checkSignature(headers.get('x-hub-signature-256'), body, secret)
  const payload = readJsonBody(body)
  const read = <S extends z.ZodType>(schema: S): z.output<S> => readPayload('GitHub', schema, payload)
  switch (headers.get('x-github-event')) {
    case 'push':
      return readPush(read(push))
    case 'pull_request':
      return readRequest(read(pull))
    case 'issue_comment': {
      const { action, repository, issue, comment } = read(issueComment)
      if (action !== 'created' || !issue.pull_request) return undefined
      return toEvent(repository.full_name, issue.number, `comment-${comment.id}`, comment)
    }
    case 'pull_request_review_comment': {
      const { action, repository, pull_request, comment } = read(lineComment)
      if (action !== 'created') return undefined
      return toEvent(repository.full_name, pull_request.number, `line-${comment.id}`, comment, {
        path: comment.path ?? undefined,
        ...placeOf(comment),
      })
    }
    case 'pull_request_review': {
      const { action, repository, pull_request, review: given } = read(review)
      // Comments on lines arrive as events of their own.
      if (action !== 'submitted' || !given.body || !given.submitted_at) return undefined
      const comment = { ...given, created_at: given.submitted_at }
      return toEvent(repository.full_name, pull_request.number, `review-${given.id}`, comment)
    }
    default:
      return undefined
  }
}

function readPush({ ref, after, deleted, repository }: z.output<typeof push>): HostEvent | undefined {
  if (!ref.startsWith('refs/heads/')) return undefined
  const isGone = deleted === true || /^0+$/.test(after)
  return {
    type: 'push',
    path: repository.full_name,
    branch: ref.slice('refs/heads/'.length),
    commit: isGone ? undefined : after,
  }
}

function readRequest({ action, pull_request, repository }: z.output<typeof pull>): HostEvent | undefined {
  if (action !== 'closed' && action !== 'reopened' && action !== 'opened') return undefined
  const { number, state, merged_at } = pull_request
  return {
    type: 'request',
    path: repository.full_name,
    number,
    state: merged_at ? 'merged' : state === 'open' ? 'open' : 'closed',
  }
}

function toEvent(
  path: string,
  number: number,
  id: string,
  { body, user, created_at }: Said,
  place: CommentPlace = {},
): HostEvent {
  const text = body ?? ''
  return {
    type: 'comment',
    path,
    number,
    comment: { id, author: user?.login ?? 'ghost', body: text, createdAt: created_at, ...place },
    own: isOurs(text) || user?.type === 'Bot',
  }
}

const events = ['push', 'pull_request', 'issue_comment', 'pull_request_review_comment', 'pull_request_review']
const answer = z
  .object({ id: z.number(), config: z.object({ url: z.string().nullish() }).nullish() })
  .transform(({ id, config }) => ({ id, url: config?.url }))

export function webhooksOf({ webhookClient, path }: GitHubRepository): Webhooks {
  return {
    client: webhookClient,
    of: path,
    place: async () => `${repositoryPath(path)}/hooks`,
    answer,
    list: (api, place) => api.list(place, answer, { query: { per_page: 100 }, max: 300 }),
    settings: (url, secret) => ({
      active: true,
      events,
      config: { url, content_type: 'json', secret, insecure_ssl: '0' },
    }),
    onlyNew: { name: 'web' },
    change: 'PATCH',
    // GitHub refuses addresses that it cannot reach. An app may lack the permission before it sends a request.
    isRefusal: (error) =>
      isAnswer(error, 403, 404, 422) || (error instanceof AppError && error.code === 'forbidden'),
  }
}
