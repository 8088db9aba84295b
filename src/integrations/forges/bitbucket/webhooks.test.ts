import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { markComment } from './pull-request-comments.ts'
import { readWebhook } from './webhooks.ts'

const secret = 'a secret'
const repository = { full_name: 'docs-team/handbook' }

function read(event: string, payload: unknown, signature?: string) {
  const body = Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload))
  const right = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  return readWebhook(
    new Headers({ 'x-event-key': event, 'x-hub-signature': signature ?? right }),
    body,
    secret,
  )
}

const branch = (name: string, hash: string) => ({ type: 'branch', name, target: { type: 'commit', hash } })

it('reads pushes, of several branches at once and of a deleted one too, and no tags', () => {
  const push = (...changes: unknown[]) => read('repo:push', { repository, push: { changes } })
  const event = { type: 'push', path: 'docs-team/handbook', branch: 'a/b' }
  const moved = { old: branch('a/b', 'b'), new: branch('a/b', 'c') }
  const tag = { old: null, new: { type: 'tag', name: 'v1', target: { hash: 'c' } } }
  expect(push(tag, moved)).toEqual([{ ...event, commit: 'c' }])
  expect(push({ old: branch('a/b', 'b'), new: null })).toEqual([{ ...event, commit: undefined }])
  expect(push(tag)).toEqual([])
  const other = { old: null, new: branch('main', 'd') }
  expect(push(moved, other)).toMatchObject([{ branch: 'a/b' }, { branch: 'main', commit: 'd' }])
})

it('reads how a pull request ended', () => {
  const event = { type: 'request', path: 'docs-team/handbook', number: 4 }
  const payload = { repository, pullrequest: { id: 4 } }
  expect(read('pullrequest:fulfilled', payload)).toEqual([{ ...event, state: 'merged' }])
  expect(read('pullrequest:rejected', payload)).toEqual([{ ...event, state: 'closed' }])
  expect(read('pullrequest:updated', payload)).toEqual([])
})

it('reads comments, and knows ours', () => {
  const said = (raw: string) => ({
    repository,
    pullrequest: { id: 4 },
    comment: {
      id: 12,
      created_on: '2026-05-17T18:21:36.123456+00:00',
      content: { raw },
      user: { uuid: '{2}', nickname: 'maintainer', display_name: 'Main Tainer' },
      inline: { path: 'a.md', to: 3, from: null },
    },
  })
  expect(read('pullrequest:comment_created', said('@docwright say more'))[0]).toEqual({
    type: 'comment',
    path: 'docs-team/handbook',
    number: 4,
    comment: {
      id: '12',
      author: 'maintainer',
      body: '@docwright say more',
      createdAt: new Date('2026-05-17T18:21:36.123Z'),
      path: 'a.md',
      line: 3,
    },
    own: false,
  })
  expect(read('pullrequest:comment_created', said(markComment('Done', 'turn:1')))[0]).toMatchObject({
    own: true,
  })
})

it('refuses what is not signed, wrongly signed, or not what Bitbucket sends', () => {
  for (const [payload, signature, code] of [
    [{}, '', 'unauthorized'],
    [{}, `sha256=${'0'.repeat(64)}`, 'unauthorized'],
    ['{"push": 1', undefined, 'invalid'],
    [{ push: 1 }, undefined, 'invalid'],
  ] as const) {
    let thrown: unknown
    try {
      read('repo:push', payload, signature)
    } catch (error) {
      thrown = error
    }
    expect(thrown).toMatchObject({ code })
  }
})
