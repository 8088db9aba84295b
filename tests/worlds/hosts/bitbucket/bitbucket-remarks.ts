import { account, notFound, page } from './bitbucket-answers.ts'
import {
  nextId,
  nextTime,
  type FakeAccount,
  type FakeBitbucketState,
  type FakeRemark,
} from './bitbucket-state.ts'
import type { ApiAnswer, ApiRequest } from '../described-server.ts'

export function answerRemarks(
  state: FakeBitbucketState,
  request: ApiRequest,
  pull: number,
  id: string | undefined,
): ApiAnswer {
  if (!state.pulls.some((one) => one.id === pull)) return notFound
  if (request.method === 'POST') {
    const { content } = request.body as { content: { raw: string } }
    return { status: 201, body: show(addRemark(state, pull, content.raw, state.bot)) }
  }
  if (request.method === 'PUT') {
    const remark = state.remarks.find((one) => one.pull === pull && String(one.id) === id)
    if (!remark) return notFound
    remark.raw = (request.body as { content: { raw: string } }).content.raw
    return { status: 200, body: show(remark) }
  }
  const said = state.remarks.filter((one) => one.pull === pull)
  return page(state, request, said.map(show))
}

export function addRemark(
  state: FakeBitbucketState,
  pull: number,
  raw: string,
  user: FakeAccount | null,
  more: Partial<FakeRemark> = {},
): FakeRemark {
  const at = nextTime()
  const made = { id: nextId(), pull, raw, user, created_on: at, deleted: false, pending: false, ...more }
  state.remarks.push(made)
  return made
}

function show({ id, raw, user, created_on, deleted, pending, inline }: FakeRemark): unknown {
  return {
    type: 'pullrequest_comment',
    id,
    created_on,
    deleted,
    pending,
    content: { raw: deleted ? '' : raw, markup: 'markdown', html: '' },
    user: user && account(user),
    ...(inline ? { inline } : {}),
  }
}
