import { z } from 'zod'
import { isOurs } from '../comment-marker.ts'
import type { HostEvent } from '../host.ts'
import { hostTime } from '../http/host-time.ts'
import { readJsonBody, readPayload } from '../http/webhook-signature.ts'
import { placeOf } from './gitlab-answers.ts'
import { createHash, timingSafeEqual } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { AppError, messageOf } from '../../../lib/errors.ts'
import type { Webhooks } from '../http/ensure-webhook.ts'
import { isAnswer } from '../http/host-failure.ts'
import type { GitLabProject } from './gitlab-project.ts'

const project = z.object({ path_with_namespace: z.string() })
const line = z.int().nullish()

const pushBody = z.object({ ref: z.string(), after: z.string(), project })

const requestBody = z.object({
  project,
  object_attributes: z.object({ iid: z.int(), action: z.string().nullish() }),
})

const noteBody = z.object({
  project,
  user: z.object({ username: z.string() }),
  object_attributes: z.object({
    id: z.int(),
    note: z.string(),
    noteable_type: z.string().nullish(),
    // "2015-05-17 18:21:36 UTC" or ISO 8601, depending on the version.
    created_at: z
      .string()
      .transform((text) => text.replace(' UTC', 'Z').replace(' ', 'T'))
      .pipe(hostTime),
    system: z.boolean().nullish(),
    internal: z.boolean().nullish(),
    confidential: z.boolean().nullish(),
    action: z.string().nullish(),
    position: z
      .object({
        new_path: z.string().nullish(),
        old_path: z.string().nullish(),
        new_line: line,
        old_line: line,
      })
      .nullish(),
  }),
  merge_request: z.object({ iid: z.int() }).nullish(),
})

const states: Record<string, 'open' | 'merged' | 'closed'> = {
  open: 'open',
  merge: 'merged',
  close: 'closed',
  reopen: 'open',
}

export function readWebhook(headers: Headers, body: Uint8Array, secret: string): HostEvent[] {
  return [readEvent(headers, body, secret) ?? []].flat()
}

function readEvent(headers: Headers, body: Uint8Array, secret: string): HostEvent | undefined {
  verifyWebhook(headers, body, secret)
  const read = <S extends z.ZodType>(schema: S): z.output<S> =>
    readPayload('GitLab', schema, readJsonBody(body))
  switch (headers.get('x-gitlab-event')) {
    case 'Push Hook':
      return readPush(read(pushBody))
    case 'Merge Request Hook':
      return readRequest(read(requestBody))
    case 'Note Hook':
      return readNote(read(noteBody))
    default:
      return undefined
  }
}

function readPush({ ref, after, project }: z.output<typeof pushBody>): HostEvent | undefined {
  if (!ref.startsWith('refs/heads/')) return undefined
  const branch = ref.slice('refs/heads/'.length)
  const commit = /^0+$/.test(after) ? undefined : after
  return { type: 'push', path: project.path_with_namespace, branch, commit }
}

function readRequest({ project, object_attributes }: z.output<typeof requestBody>): HostEvent | undefined {
  const state = states[object_attributes.action ?? '']
  if (state === undefined) return undefined
  return { type: 'request', path: project.path_with_namespace, number: object_attributes.iid, state }
}

function readNote(said: z.output<typeof noteBody>): HostEvent | undefined {
  const { id, note, noteable_type, created_at, system, action, position, ...rest } = said.object_attributes
  const isHidden = rest.internal === true || rest.confidential === true
  // Older versions send no action, and only send new comments.
  if (noteable_type !== 'MergeRequest' || system === true || isHidden) return undefined
  if (!said.merge_request || (action ?? 'create') !== 'create') return undefined
  return {
    type: 'comment',
    path: said.project.path_with_namespace,
    number: said.merge_request.iid,
    comment: {
      id: String(id),
      author: said.user.username,
      body: note,
      createdAt: created_at,
      ...placeOf(position),
    },
    own: isOurs(note),
  }
}

/**
 * The key that GitLab signs with. GitLab requires this form, so it is derived from the secret, whose form is free.
 */
export function signingToken(secret: string): string {
  return `whsec_${createHash('sha256').update(secret).digest('base64')}`
}

/**
 * Verifies the secret, which GitLab sends in a header, and the signature over body and time that newer versions
 * add.
 * @throws AppError `unauthorized`
 */
function verifyWebhook(headers: Headers, body: Uint8Array, secret: string): void {
  // Anybody could send an empty secret.
  if (secret === '') throw new AppError('unauthorized', 'The webhook has no secret: set it up again')
  const token = headers.get('x-gitlab-token')
  const isSigned = headers.has('webhook-signature')
  if (token === null && !isSigned) {
    throw new AppError('unauthorized', 'The webhook has no secret: set one for it on GitLab')
  }
  if (token !== null && !timingSafeEqual(digest(token), digest(secret))) {
    throw new AppError('unauthorized', 'The webhook has a wrong secret: set it up again')
  }
  if (!isSigned) return
  try {
    new Webhook(signingToken(secret)).verify(Buffer.from(body), Object.fromEntries(headers), {
      jsonParse: false,
    })
  } catch (error) {
    throw new AppError('unauthorized', `The signature of the webhook is wrong: ${messageOf(error)}`, {
      cause: error,
    })
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

const answer = z.object({ id: z.int(), url: z.string() })

export function webhooksOf(project: GitLabProject): Webhooks {
  return {
    client: project.client,
    of: project.path,
    place: async (api) => `/projects/${await project.target(api)}/hooks`,
    answer,
    list: (api, place) => api.list(place, answer, { query: { per_page: 100 }, max: 500 }),
    settings: (url, secret) => ({
      url,
      name: 'Docwright',
      push_events: true,
      merge_requests_events: true,
      note_events: true,
      enable_ssl_verification: true,
      token: secret,
      // Newer versions sign with it. Older versions ignore it.
      signing_token: signingToken(secret),
    }),
    change: 'PUT',
    // Only Maintainers may manage webhooks.
    isRefusal: (error) => isAnswer(error, 403, 404, 422),
  }
}
