import { z } from 'zod'
import { isOurs } from '../comment-marker.ts'
import type { HostEvent } from '../host.ts'
import { hostTime } from '../http/host-time.ts'
import { readJsonBody, readPayload } from '../http/webhook-signature.ts'
import { placeOf } from './gitlab-answers.ts'
import { verifyWebhook } from './verify-webhook.ts'

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
    // "2015-05-17 18:21:36 UTC", or as everybody writes it.
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
  // Older ones name no action and tell of new comments only.
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
