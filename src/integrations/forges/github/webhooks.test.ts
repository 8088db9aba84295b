import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createGitHub } from './github.ts'

describe('webhooks of GitHub', () => {
  const host = createGitHub()
  const read = (event: string, payload: unknown, secret = 'secret', signature?: string) => {
    const body = Buffer.from(JSON.stringify(payload))
    const given = signature ?? `sha256=${createHmac('sha256', 'secret').update(body).digest('hex')}`
    return host.readWebhook(
      new Headers({ 'x-github-event': event, 'x-hub-signature-256': given }),
      body,
      secret,
    )[0]
  }
  const repository = { full_name: 'acme/docs' }
  const request = { number: 7, state: 'closed', merged_at: null }
  const comment = {
    id: 5,
    body: '@docwright go on',
    user: { login: 'octocat', type: 'User' },
    created_at: '2026-05-01T10:00:00Z',
  }

  it('are refused without the right signature', () => {
    for (const signature of ['', 'sha256=00', `sha256=${'0'.repeat(64)}`]) {
      expect(() => read('push', {}, 'secret', signature)).toThrow(
        expect.objectContaining({ code: 'unauthorized' }),
      )
    }
    expect(() => read('push', {}, 'other')).toThrow(expect.objectContaining({ code: 'unauthorized' }))
    expect(() => read('push', {}, '')).toThrow(expect.objectContaining({ code: 'unauthorized' }))
    expect(() => read('push', { ref: 1 })).toThrow(expect.objectContaining({ code: 'invalid' }))
  })

  it('tell of pushes, of what became of a request, and of comments', () => {
    expect(read('push', { repository, ref: 'refs/heads/a/b', after: 'abc', deleted: false })).toEqual({
      type: 'push',
      path: 'acme/docs',
      branch: 'a/b',
      commit: 'abc',
    })
    expect(read('push', { repository, ref: 'refs/heads/a', after: '0000', deleted: true })).toMatchObject({
      commit: undefined,
    })
    expect(read('push', { repository, ref: 'refs/tags/v1', after: 'abc' })).toBeUndefined()
    expect(read('pull_request', { repository, action: 'closed', pull_request: request })).toMatchObject({
      number: 7,
      state: 'closed',
    })
    const merged = { ...request, merged_at: '2026-05-01T10:00:00Z' }
    expect(read('pull_request', { repository, action: 'closed', pull_request: merged })).toMatchObject({
      state: 'merged',
    })
    expect(read('pull_request', { repository, action: 'labeled', pull_request: request })).toBeUndefined()
    const issue = { number: 7, pull_request: { url: 'x' } }
    expect(read('issue_comment', { repository, action: 'created', issue, comment })).toEqual({
      type: 'comment',
      path: 'acme/docs',
      number: 7,
      comment: {
        id: 'comment-5',
        author: 'octocat',
        body: '@docwright go on',
        createdAt: new Date('2026-05-01T10:00:00Z'),
      },
      own: false,
    })
    expect(read('issue_comment', { repository, action: 'edited', issue, comment })).toBeUndefined()
    expect(
      read('issue_comment', { repository, action: 'created', issue: { number: 7 }, comment }),
    ).toBeUndefined()
    const bot = { ...comment, user: { login: 'docwright[bot]', type: 'Bot' } }
    expect(read('issue_comment', { repository, action: 'created', issue, comment: bot })).toMatchObject({
      own: true,
    })
    const line = { ...comment, path: 'index.md', line: null, original_line: 4 }
    expect(
      read('pull_request_review_comment', {
        repository,
        action: 'created',
        pull_request: request,
        comment: line,
      }),
    ).toMatchObject({ comment: { id: 'line-5', path: 'index.md', line: 4 } })
    const review = { ...comment, submitted_at: comment.created_at }
    expect(
      read('pull_request_review', { repository, action: 'submitted', pull_request: request, review }),
    ).toMatchObject({ comment: { id: 'review-5' } })
    expect(read('ping', { zen: 'x' })).toBeUndefined()
  })
})
