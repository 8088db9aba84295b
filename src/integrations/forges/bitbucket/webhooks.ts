import { z } from 'zod'
import type { HostEvent } from '../host.ts'
import { checkSignature, readJsonBody, readPayload } from '../http/webhook-signature.ts'
import { commentAnswer, nameOf, placeOf } from './bitbucket-answers.ts'
import { isOurs } from './pull-request-comments.ts'
import type { Webhooks } from '../http/ensure-webhook.ts'
import { isAnswer } from '../http/host-failure.ts'
import { listPages, type BitbucketRepository } from './bitbucket-repository.ts'

const repository = z.object({ full_name: z.string() })
const pullrequest = z.object({ id: z.int() })

const branch = z.object({
  type: z.string().nullish(),
  name: z.string(),
  target: z.object({ hash: z.string() }).nullish(),
})
const change = z.object({ new: branch.nullish(), old: branch.nullish() })

const pushBody = z.object({ repository, push: z.object({ changes: z.array(change).max(1000) }) })
const requestBody = z.object({ repository, pullrequest })
const commentBody = z.object({ repository, pullrequest, comment: commentAnswer })

export function readWebhook(headers: Headers, body: Uint8Array, secret: string): HostEvent[] {
  checkSignature(headers.get('x-hub-signature'), body, secret)
  const read = <S extends z.ZodType>(schema: S): z.output<S> =>
    readPayload('Bitbucket', schema, readJsonBody(body))
  switch (headers.get('x-event-key')) {
    case 'repo:push':
      return readPush(read(pushBody))
    case 'pullrequest:fulfilled':
      return [readRequest(read(requestBody), 'merged')]
    case 'pullrequest:rejected':
      return [readRequest(read(requestBody), 'closed')]
    case 'pullrequest:comment_created':
      return [readComment(read(commentBody))]
    default:
      return []
  }
}

// One push may update several branches.
function readPush({ repository, push }: z.output<typeof pushBody>): HostEvent[] {
  return push.changes.flatMap((change) => {
    const moved = change.new ?? change.old
    if (moved?.type !== 'branch') return []
    const { full_name: path } = repository
    return [{ type: 'push' as const, path, branch: moved.name, commit: change.new?.target?.hash }]
  })
}

function readRequest(
  { repository, pullrequest }: z.output<typeof requestBody>,
  state: 'merged' | 'closed',
): HostEvent {
  return { type: 'request', path: repository.full_name, number: pullrequest.id, state }
}

function readComment({ repository, pullrequest, comment }: z.output<typeof commentBody>): HostEvent {
  const body = comment.content?.raw ?? ''
  return {
    type: 'comment',
    path: repository.full_name,
    number: pullrequest.id,
    comment: {
      id: String(comment.id),
      author: nameOf(comment.user),
      body,
      createdAt: comment.created_on,
      ...placeOf(comment.inline),
    },
    own: isOurs(body),
  }
}

const events = ['repo:push', 'pullrequest:fulfilled', 'pullrequest:rejected', 'pullrequest:comment_created']
const answer = z
  .object({ uuid: z.string(), url: z.string() })
  .transform(({ uuid, url }) => ({ id: uuid, url }))

export function webhooksOf({ client, path, target }: BitbucketRepository): Webhooks {
  return {
    client,
    of: path,
    place: async () => `${target}/hooks`,
    answer,
    list: (api, place) => listPages(api, place, answer, { query: { pagelen: 100 }, max: 500 }),
    settings: (url, secret) => ({ description: 'Docwright', url, active: true, secret, events }),
    change: 'PUT',
    // The credential lacks the scope for webhooks.
    isRefusal: (error) => isAnswer(error, 400, 403, 404),
  }
}
