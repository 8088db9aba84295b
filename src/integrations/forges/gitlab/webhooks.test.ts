import { Webhook } from 'standardwebhooks'
import { expect, it } from 'vitest'
import { markComment } from '../comment-marker.ts'
import { readWebhook, signingToken } from './webhooks.ts'

const secret = 'a secret of any form'
const project = { path_with_namespace: 'docs/team/handbook' }

function read(
  event: string,
  payload: unknown,
  headers: Record<string, string> = { 'x-gitlab-token': secret },
) {
  const body = Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload))
  return readWebhook(new Headers({ 'x-gitlab-event': event, ...headers }), body, secret)[0]
}

function note(attributes: Record<string, unknown> = {}) {
  return {
    object_kind: 'note',
    user: { id: 2, username: 'maintainer' },
    project,
    object_attributes: {
      id: 1244,
      note: '@docwright say more',
      noteable_type: 'MergeRequest',
      created_at: '2026-05-17 18:21:36 UTC',
      system: false,
      action: 'create',
      ...attributes,
    },
    merge_request: { iid: 4 },
  }
}

it('reads pushes, of a deleted branch too, and no tags', () => {
  const push = { ref: 'refs/heads/a/b', after: 'c'.repeat(40), project }
  const event = { type: 'push', path: 'docs/team/handbook', branch: 'a/b' }
  expect(read('Push Hook', push)).toEqual({ ...event, commit: 'c'.repeat(40) })
  expect(read('Push Hook', { ...push, after: '0'.repeat(40) })).toEqual({ ...event, commit: undefined })
  expect(read('Push Hook', { ...push, ref: 'refs/tags/v1' })).toBeUndefined()
  expect(read('Tag Push Hook', push)).toBeUndefined()
})

it('reads how a merge request ended, and nothing else of it', () => {
  const states = ['merge', 'close', 'reopen', 'open', 'update', 'approved'].map((action) => {
    const event = read('Merge Request Hook', { project, object_attributes: { iid: 4, action } })
    return event?.type === 'request' ? event.state : undefined
  })
  expect(states).toEqual(['merged', 'closed', 'open', 'open', undefined, undefined])
})

it('reads new comments of people on merge requests', () => {
  expect(read('Note Hook', note({ position: { new_path: 'a.md', old_path: 'a.md', new_line: 3 } }))).toEqual({
    type: 'comment',
    path: 'docs/team/handbook',
    number: 4,
    comment: {
      id: '1244',
      author: 'maintainer',
      body: '@docwright say more',
      createdAt: new Date('2026-05-17T18:21:36Z'),
      path: 'a.md',
      line: 3,
    },
    own: false,
  })
  expect(read('Note Hook', note({ note: markComment('Done', 'turn:1') }))).toMatchObject({ own: true })
  for (const other of [
    { noteable_type: 'Issue' },
    { system: true },
    { action: 'update' },
    { internal: true },
  ]) {
    expect(read('Note Hook', note(other))).toBeUndefined()
  }
})

it('refuses what has no secret, a wrong one, or is not what GitLab sends', () => {
  const refused = { code: 'unauthorized' }
  expectError(() => read('Push Hook', {}, {}), refused)
  expectError(() => read('Push Hook', {}, { 'x-gitlab-token': 'other' }), refused)
  expectError(() => readWebhook(new Headers({ 'x-gitlab-token': '' }), Buffer.from('{}'), ''), refused)
  expectError(() => read('Push Hook', '{"ref": 1'), { code: 'invalid' })
  expectError(() => read('Push Hook', { ref: 1 }), { code: 'invalid' })
})

it('believes a signature over the body and its time, and a wrong one less than the secret beside it', () => {
  const body = JSON.stringify(note())
  const sign = (at: Date, text: string) => ({
    'webhook-id': 'one',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(signingToken(secret)).sign('one', at, text),
  })
  const now = new Date()
  expect(read('Note Hook', body, sign(now, body))).toMatchObject({ type: 'comment' })
  const refused = { code: 'unauthorized' }
  expectError(() => read('Note Hook', body, { ...sign(now, `${body} `), 'x-gitlab-token': secret }), refused)
  expectError(() => read('Note Hook', body, sign(new Date(now.getTime() - 3_600_000), body)), refused)
  expectError(() => read('Note Hook', body, { ...sign(now, body), 'x-gitlab-token': 'other' }), refused)
})

function expectError(work: () => unknown, expected: Record<string, unknown>): void {
  let thrown: unknown
  try {
    work()
  } catch (error) {
    thrown = error
  }
  expect(thrown).toMatchObject(expected)
}
