import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createGitea } from './gitea.ts'

describe('webhooks of Gitea', () => {
  const host = createGitea()
  const read = (event: string, payload: unknown, name = 'gitea', secret = 'secret') => {
    const body = Buffer.from(JSON.stringify(payload))
    const signature = createHmac('sha256', 'secret').update(body).digest('hex')
    const headers = new Headers({
      [`x-${name}-event`]: event,
      [`x-${name}-signature`]: signature,
      'x-github-event': event,
      'x-hub-signature-256': `sha256=${signature}`,
    })
    return host.readWebhook(headers, body, secret)[0]
  }
  const repository = { full_name: 'acme/docs' }

  it('are refused without the right signature', () => {
    expect(() => read('push', {}, 'gitea', 'other')).toThrow(
      expect.objectContaining({ code: 'unauthorized' }),
    )
    expect(() =>
      host.readWebhook(new Headers({ 'x-gitea-event': 'push' }), Buffer.from('{}'), 'secret'),
    ).toThrow(expect.objectContaining({ code: 'unauthorized' }))
  })

  it.each(['gitea', 'forgejo'])(
    'of %s tell of pushes, of what became of a request, and of comments',
    (name) => {
      expect(read('push', { repository, ref: 'refs/heads/a/b', after: 'abc' }, name)).toEqual({
        type: 'push',
        path: 'acme/docs',
        branch: 'a/b',
        commit: 'abc',
      })
      expect(read('delete', { repository, ref: 'work', ref_type: 'branch' }, name)).toEqual({
        type: 'push',
        path: 'acme/docs',
        branch: 'work',
        commit: undefined,
      })
      const closed = {
        repository,
        action: 'closed',
        number: 7,
        pull_request: { state: 'closed', merged: false },
      }
      expect(read('pull_request', closed, name)).toMatchObject({
        type: 'request',
        number: 7,
        state: 'closed',
      })
      const merged = { ...closed, pull_request: { state: 'closed', merged: true } }
      expect(read('pull_request', merged, name)).toMatchObject({ state: 'merged' })
      expect(read('pull_request', { ...closed, action: 'label_updated' }, name)).toBeUndefined()
      const comment = {
        id: 5,
        body: 'Go on',
        user: { login: 'acme' },
        created_at: '2026-05-01T12:00:00+02:00',
      }
      const said = { repository, action: 'created', is_pull: true, issue: { number: 7 }, comment }
      expect(read('issue_comment', said, name)).toEqual({
        type: 'comment',
        path: 'acme/docs',
        number: 7,
        comment: {
          id: 'comment-5',
          author: 'acme',
          body: 'Go on',
          createdAt: new Date('2026-05-01T10:00:00Z'),
        },
        own: false,
      })
      const ours = { ...said, comment: { ...comment, body: '<!-- docwright turn_1 -->\nDone' } }
      expect(read('issue_comment', ours, name)).toMatchObject({ own: true })
      expect(read('issue_comment', { ...said, is_pull: false }, name)).toBeUndefined()
      const review = { repository, action: 'reviewed', number: 7, review: { type: 'x', content: 'Go on' } }
      expect(read('pull_request_rejected', review, name)).toMatchObject({
        number: 7,
        comment: undefined,
        own: false,
      })
      expect(read('release', { repository }, name)).toBeUndefined()
    },
  )
})
