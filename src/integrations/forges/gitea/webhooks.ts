import { z } from 'zod'
import { isOurs } from '../comment-marker.ts'
import type { HostEvent } from '../host.ts'
import { hostTime } from '../http/host-time.ts'
import { checkSignature, readJsonBody, readPayload } from '../http/webhook-signature.ts'
import type { Webhooks } from '../http/ensure-webhook.ts'
import { isAnswer } from '../http/host-failure.ts'
import { byNumber, pageSize, repositoryPath, type GiteaRepository } from './gitea-repository.ts'

const repository = z.object({ full_name: z.string() })
const push = z.object({ repository, ref: z.string(), after: z.string() })
const deletion = z.object({ repository, ref: z.string(), ref_type: z.string() })
const pull = z.object({
  repository,
  action: z.string(),
  number: z.number(),
  pull_request: z.object({ state: z.string(), merged: z.boolean().nullish() }),
})
const issueComment = z.object({
  repository,
  action: z.string(),
  is_pull: z.boolean().nullish(),
  issue: z.object({ number: z.number(), pull_request: z.looseObject({}).nullish() }),
  comment: z.object({
    id: z.number(),
    body: z.string().nullish(),
    user: z.object({ login: z.string() }).nullish(),
    created_at: hostTime,
  }),
})
const review = z.object({
  repository,
  number: z.number(),
  review: z.object({ content: z.string().nullish() }).nullish(),
})

/** Gitea and Forgejo send the same bodies. Forgejo adds headers of its own name to those of Gitea. */
export function readWebhook(headers: Headers, body: Uint8Array, secret: string): HostEvent[] {
  return [readEvent(headers, body, secret) ?? []].flat()
}

function readEvent(headers: Headers, body: Uint8Array, secret: string): HostEvent | undefined {
  const header = (name: string): string | null =>
    headers.get(`x-gitea-${name}`) ?? headers.get(`x-forgejo-${name}`)
  checkSignature(header('signature') ?? headers.get('x-hub-signature-256'), body, secret)
  const payload = readJsonBody(body)
  const read = <S extends z.ZodType>(schema: S): z.output<S> => readPayload('Gitea', schema, payload)
  switch (header('event')) {
    case 'push':
      return readPush(read(push))
    case 'delete':
      return readDeletion(read(deletion))
    case 'pull_request':
      return readRequest(read(pull))
    case 'issue_comment':
      return readComment(read(issueComment))
    // Comments that belong to a review are sent without ids.
    case 'pull_request_approved':
    case 'pull_request_rejected':
    case 'pull_request_comment': {
      const { repository, number, review: given } = read(review)
      const own = isOurs(given?.content ?? '')
      return { type: 'comment', path: repository.full_name, number, comment: undefined, own }
    }
    default:
      return undefined
  }
}

function readPush({ ref, after, repository }: z.output<typeof push>): HostEvent | undefined {
  if (!ref.startsWith('refs/heads/')) return undefined
  const commit = /^0*$/.test(after) ? undefined : after
  return { type: 'push', path: repository.full_name, branch: ref.slice('refs/heads/'.length), commit }
}

function readDeletion({ ref, ref_type, repository }: z.output<typeof deletion>): HostEvent | undefined {
  if (ref_type !== 'branch') return undefined
  const branch = ref.replace(/^refs\/heads\//, '')
  return { type: 'push', path: repository.full_name, branch, commit: undefined }
}

function readRequest({
  action,
  number,
  pull_request,
  repository,
}: z.output<typeof pull>): HostEvent | undefined {
  if (action !== 'closed' && action !== 'reopened' && action !== 'opened') return undefined
  const { state, merged } = pull_request
  return {
    type: 'request',
    path: repository.full_name,
    number,
    state: merged === true ? 'merged' : state === 'open' ? 'open' : 'closed',
  }
}

function readComment(given: z.output<typeof issueComment>): HostEvent | undefined {
  const { action, is_pull: isPull, issue, comment, repository } = given
  if (action !== 'created' || !(isPull === true || issue.pull_request)) return undefined
  const { id, body, user, created_at } = comment
  const text = body ?? ''
  return {
    type: 'comment',
    path: repository.full_name,
    number: issue.number,
    comment: { id: `comment-${id}`, author: user?.login ?? 'Ghost', body: text, createdAt: created_at },
    own: isOurs(text),
  }
}

// The event "pull_request" would include everything about pull requests, such as each label. Deleting a branch is
// not a push event.
const events = ['push', 'delete', 'pull_request_only', 'pull_request_comment', 'pull_request_review']
const answer = z
  .object({
    id: z.number(),
    config: z.object({ url: z.string().nullish() }).nullish(),
  })
  .transform(({ id, config }) => ({ id, url: config?.url }))

export function webhooksOf({ client, path }: GiteaRepository): Webhooks {
  return {
    client,
    of: path,
    place: async () => `${repositoryPath(path)}/hooks`,
    answer,
    list: (api, place) => api.list(place, answer, { query: { limit: pageSize }, max: 300, pages: byNumber }),
    settings: (url, secret) => ({ active: true, events, config: { url, content_type: 'json', secret } }),
    onlyNew: { type: 'gitea' },
    // No version can change the secret of an existing webhook.
    change: undefined,
    // Only administrators of the repository may manage webhooks.
    isRefusal: (error) => isAnswer(error, 403, 404, 422),
  }
}
