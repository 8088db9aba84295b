import type { ApiAnswer, ApiRequest } from '../described-server.ts'
import { notFound, page, person, segmentsOf } from './gitlab-answers.ts'
import {
  nextId,
  nextTime,
  type FakeGitLabState,
  type FakeMergeRequest,
  type FakeProject,
} from './gitlab-state.ts'

interface Sent {
  title?: string
  description?: string
  source_branch?: string
  target_branch?: string
  target_project_id?: number
  labels?: string[]
  reviewer_ids?: number[]
  assignee_ids?: number[]
  allow_collaboration?: boolean
  sha?: string
  squash?: boolean
  state_event?: 'close' | 'reopen'
}

export function answerMergeRequests(
  state: FakeGitLabState,
  project: FakeProject,
  request: ApiRequest,
): ApiAnswer {
  const [, , , iid, part] = segmentsOf(request)
  const sent = (request.body ?? {}) as Sent
  if (iid === undefined && request.method === 'POST') return create(state, project, sent)
  if (iid === undefined) return page(request, list(state, request), state.pageSize)
  const found = state.requests.find((one) => String(one.iid) === iid)
  if (!found) return notFound('')
  if (part === 'merge') return merge(state, found, sent)
  if (part === 'diffs') return page(request, diffs(state, found), state.pageSize)
  if (request.method === 'PUT') {
    found.title = sent.title ?? found.title
    found.target_branch = sent.target_branch ?? found.target_branch
    found.description = sent.description ?? found.description
    if (sent.state_event === 'close') found.state = 'closed'
  }
  return { status: 200, body: show(state, found) }
}

function list(state: FakeGitLabState, { query }: ApiRequest): unknown[] {
  const wanted = query.get('state') ?? 'all'
  const branch = query.get('source_branch')
  return state.requests
    .filter((one) => wanted === 'all' || one.state === wanted)
    .filter((one) => branch === null || one.source_branch === branch)
    .toReversed()
    .map((one) => show(state, one))
}

function create(state: FakeGitLabState, source: FakeProject, sent: Sent): ApiAnswer {
  const { title = '', source_branch = '', target_branch = '' } = sent
  const target = state.projects.find((one) => one.id === sent.target_project_id)
  if (!target) return notFound('Project ')
  if (target.id === source.id && source_branch === target_branch) {
    return { status: 422, body: { message: ["You can't use same project/branch for source and target"] } }
  }
  const isSame = (one: FakeMergeRequest) =>
    one.state === 'opened' && one.source_branch === source_branch && one.source_project_id === source.id
  const open = state.requests.find(isSame)
  if (open) {
    const message = [`Another open merge request already exists for this source branch: !${open.iid}`]
    return { status: 409, body: { message } }
  }
  if (title.length > 255)
    return { status: 400, body: { message: { title: ['is too long (maximum is 255 characters)'] } } }
  const made: FakeMergeRequest = {
    id: nextId(),
    iid: state.requests.length + 1,
    title,
    description: sent.description ?? '',
    state: 'opened',
    source_branch,
    target_branch,
    source_project_id: source.id,
    author: state.bot,
    created_at: nextTime(),
    allow_collaboration: sent.allow_collaboration === true,
    labels: sent.labels ?? [],
    reviewers: state.users.filter((user) => sent.reviewer_ids?.includes(user.id)),
    assignees: state.users.filter((user) => sent.assignee_ids?.includes(user.id)),
  }
  state.requests.push(made)
  return { status: 201, body: show(state, made) }
}

function merge(state: FakeGitLabState, found: FakeMergeRequest, sent: Sent): ApiAnswer {
  const { merges } = state
  const no = (status: number, message: string): ApiAnswer => ({ status, body: { message } })
  const origin = state.projects[0]?.origin
  const head = sourceOf(state, found)?.head(found.source_branch)
  if (!merges.may) return no(401, '401 Unauthorized')
  if (found.state !== 'opened' || origin === undefined || head === undefined || merges.refusal !== undefined)
    return no(405, '405 Method Not Allowed')
  if (sent.sha !== undefined && sent.sha !== head)
    return no(409, `SHA does not match HEAD of source branch: ${head}`)
  const base = origin.head(found.target_branch) ?? ''
  origin.merge(found.target_branch, head)
  const style = sent.squash === true || !merges.styles.includes('merge') ? 'squash' : 'merge'
  merges.done.push({ number: found.iid, style, head })
  Object.assign(found, { state: 'merged', merged: { base, head } })
  return { status: 200, body: show(state, found) }
}

function show(state: FakeGitLabState, one: FakeMergeRequest): unknown {
  const [target] = state.projects
  const { author, reviewers, assignees, merged, ...plain } = one
  return {
    ...plain,
    project_id: target?.id,
    target_project_id: target?.id,
    updated_at: plain.created_at,
    author: person(author),
    reviewers: reviewers.map(person),
    assignees: assignees.map(person),
    sha: merged?.head ?? sourceOf(state, one)?.head(one.source_branch) ?? null,
    detailed_merge_status: state.merges.refusal ?? 'mergeable',
    draft: /^(draft:|\[draft\]|\(draft\))/i.test(one.title),
    web_url: `https://gitlab.example/${target?.path}/-/merge_requests/${one.iid}`,
  }
}

function sourceOf(state: FakeGitLabState, one: FakeMergeRequest) {
  return state.projects.find((project) => project.id === one.source_project_id)?.origin
}

function diffs(state: FakeGitLabState, one: FakeMergeRequest): unknown[] {
  const origin = sourceOf(state, one)
  // It remembers them; nothing here needs that.
  if (!one.merged && origin?.head(one.source_branch) === undefined) return []
  const changes = one.merged
    ? origin?.changes(one.merged.base, one.merged.head)
    : origin?.changes(state.projects[0]?.origin.head(one.target_branch) ?? '', one.source_branch)
  return (changes ?? []).map((change) => ({
    new_path: change.new,
    old_path: change.old ?? change.new,
    diff: '',
    new_file: change.status === 'A',
    deleted_file: change.status === 'D',
    renamed_file: change.old !== undefined,
  }))
}
