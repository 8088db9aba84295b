import { mergeStyles } from '../../../../src/integrations/forges/merging.ts'
import { account, asked, notFound, page, refused } from './bitbucket-answers.ts'
import { nextTime, type FakeBitbucketState, type FakePull, type FakeRepository } from './bitbucket-state.ts'
import type { ApiAnswer, ApiRequest } from '../described-server.ts'

interface Sent {
  title?: string
  description?: string
  draft?: boolean
  close_source_branch?: boolean
  source?: { branch: { name: string }; repository?: { full_name: string } }
  destination?: { branch: { name: string } }
  reviewers?: { uuid: string }[]
}

/** @param rest what follows `…/pullrequests` */
export function answerPulls(
  state: FakeBitbucketState,
  target: FakeRepository,
  request: ApiRequest,
  rest: string[],
): ApiAnswer {
  const [id, part] = rest
  const sent = (request.body ?? {}) as Sent
  if (id === undefined && request.method === 'POST') return create(state, target, sent)
  if (id === undefined) return page(state, request, list(state, request))
  const found = state.pulls.find((one) => String(one.id) === id)
  if (!found) return notFound
  if (part === 'decline') {
    if (found.state !== 'OPEN') return refused(400, 'This pull request is already closed.')
    found.state = 'DECLINED'
    return { status: 200, body: show(state, found) }
  }
  if (part === 'merge') return merge(state, found, request)
  if (part === 'diffstat') {
    const spec = `${found.from}:${found.head}%0D${found.base}?from_pullrequest_id=${id}&topic=true`
    const location = `${state.api}/repositories/${target.full_name}/diffstat/${spec}`
    return { status: 302, headers: { location } }
  }
  return request.method === 'PUT' ? change(state, found, sent) : { status: 200, body: show(state, found) }
}

function list(state: FakeBitbucketState, request: ApiRequest): unknown[] {
  const states = request.query.getAll('state')
  const branch = asked(request, 'source.branch.name')
  const isWanted = (one: FakePull) => (states.length > 0 ? states.includes(one.state) : one.state === 'OPEN')
  return state.pulls
    .filter((one) => isWanted(one) && (branch === undefined || one.head === branch))
    .toReversed()
    .map((one) => show(state, one))
}

function create(state: FakeBitbucketState, target: FakeRepository, sent: Sent): ApiAnswer {
  const head = sent.source?.branch.name ?? ''
  const base = sent.destination?.branch.name ?? 'main'
  const from = sent.source?.repository?.full_name ?? target.full_name
  const source = state.repositories.find((one) => one.full_name === from)?.origin
  const [first, last] = [target.origin.head(base), source?.head(head)]
  if (first === undefined || last === undefined) {
    return refused(400, 'Bad request', { fields: { source: [`branch not found: ${head}`] } })
  }
  if (source?.ahead(first, last) === 0) return refused(400, 'There are no changes to be pulled')
  const open = state.pulls.find(
    (one) => one.state === 'OPEN' && one.head === head && one.base === base && one.from === from,
  )
  // The present one comes back, not another.
  if (open) return { status: 201, body: show(state, open) }
  const isAuthor = sent.reviewers?.some(({ uuid }) => uuid === state.bot.uuid) === true
  if (isAuthor) return refused(400, 'reviewers: docs-bot is the author and cannot be included as a reviewer.')
  const made: FakePull = {
    id: state.pulls.length + 1,
    title: sent.title ?? '',
    description: sent.description ?? '',
    state: 'OPEN',
    draft: sent.draft === true,
    close_source_branch: sent.close_source_branch === true,
    head,
    base,
    from,
    reviewers: reviewersOf(state, sent),
    created_on: nextTime(),
  }
  state.pulls.push(made)
  return { status: 201, body: show(state, made) }
}

// What is not sent is reset.
function change(state: FakeBitbucketState, found: FakePull, sent: Sent): ApiAnswer {
  if (!sent.title) return refused(400, 'title: Required')
  if (found.state !== 'OPEN') return refused(400, 'This pull request is already closed.')
  Object.assign(found, {
    title: sent.title,
    description: sent.description ?? '',
    draft: sent.draft === true,
    close_source_branch: sent.close_source_branch === true,
    base: sent.destination?.branch.name ?? found.base,
    reviewers: reviewersOf(state, sent),
  })
  return { status: 200, body: show(state, found) }
}

const strategies = { merge: 'merge_commit', squash: 'squash', rebase: 'fast_forward' } as const

function merge(state: FakeBitbucketState, found: FakePull, { body }: ApiRequest): ApiAnswer {
  const { merges } = state
  const { merge_strategy: own } = body as { merge_strategy: string }
  const style = mergeStyles.find((one) => strategies[one] === own)
  const origin = state.repositories[0]?.origin
  const source = state.repositories.find((one) => one.full_name === found.from)?.origin
  const [base, head] = [origin?.head(found.base), source?.head(found.head)]
  if (!merges.may) return refused(403, 'You do not have permission to merge this pull request.')
  if (found.state !== 'OPEN') return refused(400, 'This pull request is already closed.')
  if (merges.refusal !== undefined) return refused(400, merges.refusal)
  if (!origin || base === undefined || head === undefined || style === undefined)
    return refused(400, 'Bad request')
  if (!merges.styles.includes(style)) return refused(400, 'This merge strategy is not allowed.')
  origin.merge(found.base, head)
  merges.done.push({ number: found.id, style, head })
  Object.assign(found, { state: 'MERGED', merged: { base, head } })
  return { status: 200, body: show(state, found) }
}

function reviewersOf(state: FakeBitbucketState, sent: Sent) {
  return state.accounts.filter((one) => sent.reviewers?.some(({ uuid }) => uuid === one.uuid))
}

function show(state: FakeBitbucketState, one: FakePull): unknown {
  const target = state.repositories[0]?.full_name ?? ''
  const source = state.repositories.find((repository) => repository.full_name === one.from)
  const end = (name: string, full_name: string | undefined, hash: string | undefined) => ({
    branch: { name },
    repository: full_name === undefined ? null : { type: 'repository', full_name },
    commit: hash === undefined ? null : { hash: hash.slice(0, 12) },
  })
  return {
    type: 'pullrequest',
    id: one.id,
    title: one.title,
    description: one.description,
    state: one.state,
    draft: one.draft,
    close_source_branch: one.close_source_branch,
    author: account(state.bot),
    reviewers: one.reviewers.map(account),
    created_on: one.created_on,
    updated_on: one.created_on,
    source: end(one.head, source?.full_name, one.merged?.head ?? source?.origin.head(one.head)),
    destination: {
      ...end(one.base, target, state.repositories[0]?.origin.head(one.base)),
      branch: {
        name: one.base,
        merge_strategies: state.merges.styles.map((style) => strategies[style]),
        default_merge_strategy: 'merge_commit',
      },
    },
    links: { html: { href: `https://bitbucket.org/${target}/pull-requests/${one.id}` } },
  }
}

/** @param rest what follows `…/diffstat` */
export function answerDiffstat(state: FakeBitbucketState, request: ApiRequest): ApiAnswer {
  const id = request.query.get('from_pullrequest_id')
  const pull = state.pulls.find((one) => String(one.id) === id)
  const source = state.repositories.find((one) => one.full_name === pull?.from)?.origin
  if (!pull || !source || (!pull.merged && source.head(pull.head) === undefined)) return notFound
  const { base, head } = pull.merged ?? {
    base: state.repositories[0]?.origin.head(pull.base) ?? '',
    head: pull.head,
  }
  const file = (path: string | undefined) => (path === undefined ? null : { type: 'commit_file', path })
  const files = source.changes(base, head).map((change) => ({
    type: 'diffstat',
    status: { A: 'added', D: 'removed', M: 'modified' }[change.status] ?? 'renamed',
    old: file(change.status === 'A' ? undefined : (change.old ?? change.new)),
    new: file(change.status === 'D' ? undefined : change.new),
  }))
  return page(state, request, files)
}
