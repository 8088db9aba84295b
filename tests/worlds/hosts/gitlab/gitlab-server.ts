import description from './gitlab-openapi.json' with { type: 'json' }
import { describedApi } from '../described-api.ts'
import {
  serveDescribedApi,
  type ApiAnswer,
  type ApiRequest,
  type DescribedServer,
} from '../described-server.ts'
import { serveGit } from '../git-backend.ts'
import { gitLabAmendments } from './gitlab-amendments.ts'
import { notFound, person, segmentsOf } from './gitlab-answers.ts'
import { answerMergeRequests } from './gitlab-merge-requests.ts'
import { answerNotes } from './gitlab-notes.ts'
import { nextId, nextTime, type FakeGitLabState, type FakeProject } from './gitlab-state.ts'

const api = describedApi(description, { nulls: true, amendments: gitLabAmendments })

/** What GitLab says with a 401 and a 429. */
export const gitLabWords: { expired: unknown; limited: ApiAnswer } = {
  expired: {
    error: 'invalid_token',
    error_description: 'Token is expired. You can either do re-authorization or token refresh.',
  },
  limited: {
    status: 429,
    headers: { 'retry-after': '7', 'ratelimit-remaining': '0', 'ratelimit-limit': '60' },
    body: { message: 'This endpoint has been requested too many times. Try again later.' },
  },
}

/** For tests: GitLab's API as its description and its manners are, and git beside it; below a path of the host. */
export function startFakeGitLab(state: FakeGitLabState): Promise<DescribedServer> {
  const git = serveGit({
    find: (path) =>
      state.projects.find((one) => [one.path, one.formerly].includes(path.replace(/^gitlab\//, '')))?.origin
        .folder,
    // Any name will do, but there must be one.
    allows: (password, user) => password === state.token && user !== '',
    troubles: state.gitTroubles,
  })
  return serveDescribedApi(api, '/gitlab/api/v4', (request) => answer(state, request), git)
}

function answer(state: FakeGitLabState, request: ApiRequest): ApiAnswer {
  const { method, headers } = request
  if (headers.get('private-token') !== state.token)
    return { status: 401, body: { message: '401 Unauthorized' } }
  const [root, id, part, ...rest] = segmentsOf(request)
  if (root === 'user') return { status: 200, body: { ...person(state.bot), bot: true } }
  if (root === 'users' && id !== undefined) {
    const user = [...state.users, state.bot].find((one) => String(one.id) === id)
    return user ? { status: 200, body: { ...person(user), bot: user.bot === true } } : notFound('User ')
  }
  if (root === 'users') {
    const name = request.query.get('username')
    return { status: 200, body: state.users.filter((user) => user.username === name).map(person) }
  }
  if (root === 'personal_access_tokens')
    return { status: 200, body: { id: 1, scopes: state.scopes, expires_at: state.expires ?? null } }
  if (method !== 'GET' && !state.scopes.includes('api')) {
    return {
      status: 403,
      body: {
        error: 'insufficient_scope',
        error_description: 'The request requires higher privileges than provided by the access token.',
        scope: 'api',
      },
    }
  }
  const project = state.projects.find((one) => String(one.id) === id || one.path === id)
  const renamed = state.projects.find(({ formerly }) => formerly !== undefined && formerly === id)
  if (renamed && method === 'GET') {
    const more = request.path
      .split('/')
      .slice(3)
      .map((rest) => `/${rest}`)
    const location = `${request.origin}/gitlab/api/v4/projects/${renamed.id}${more.join('')}`
    return {
      status: 301,
      headers: { location },
      body: { message: 'Non GET methods are not allowed for moved projects' },
    }
  }
  if (!project) return notFound('Project ')
  if (part === undefined) return { status: 200, body: describe(state, project) }
  if (project.archived && method !== 'GET') return { status: 403, body: { message: '403 Forbidden' } }
  if (part === 'merge_requests' && rest[1] === 'notes') return answerNotes(state, request, rest.slice(2))
  if (part === 'merge_requests') return answerMergeRequests(state, project, request)
  if (part === 'repository') return answerRepository(state, project, request)
  if (part === 'members') return answerMember(state, Number(rest[1]))
  if (part === 'statuses') return answerStatus(state, project, request)
  if (part === 'hooks') return answerHooks(state, request, rest[0])
  return notFound('')
}

function describe(state: FakeGitLabState, { id, path, archived, origin }: FakeProject): unknown {
  return {
    id,
    name: path.split('/').at(-1),
    path_with_namespace: path,
    default_branch: origin.head('main') === undefined ? null : 'main',
    archived,
    merge_requests_access_level: 'enabled',
    can_create_merge_request_in: true,
    merge_method: 'merge',
    squash_option: squashOption(state.merges.styles),
    permissions: {
      project_access: { access_level: state.bot.level, notification_level: 3 },
      group_access: null,
    },
  }
}

function squashOption(styles: readonly string[]): string {
  if (!styles.includes('squash')) return 'never'
  return styles.includes('merge') ? 'default_off' : 'always'
}

function answerRepository(state: FakeGitLabState, { origin }: FakeProject, request: ApiRequest): ApiAnswer {
  const [, , , kind, branch = ''] = segmentsOf(request)
  if (kind === 'branches') {
    const head = origin.head(branch)
    if (head === undefined) return notFound('Branch ')
    return { status: 200, body: { name: branch, commit: { id: head }, protected: false } }
  }
  const { query } = request
  const from = query.get('from_project_id')
  const base = state.projects.find((one) => String(one.id) === from)?.origin ?? origin
  const [start, end] = [base.head(query.get('from') ?? ''), origin.head(query.get('to') ?? '')]
  if (start === undefined || end === undefined) return notFound('Ref ')
  const commits = Array.from({ length: origin.ahead(start, end) }, (_, index) => ({ id: String(index) }))
  return { status: 200, body: { commits, diffs: [], compare_same_ref: start === end } }
}

function answerMember(state: FakeGitLabState, id: number): ApiAnswer {
  const user = state.users.find((one) => one.id === id && one.level > 0)
  return user ? { status: 200, body: { ...person(user), access_level: user.level } } : notFound('')
}

function answerStatus(state: FakeGitLabState, project: FakeProject, request: ApiRequest): ApiAnswer {
  const [, , , sha = ''] = segmentsOf(request)
  const sent = request.body as { state: string; name: string; description: string; target_url: string }
  const running = state.statuses.find((one) => one.sha === sha && one.status === 'pending')
  if (running && sent.state === 'pending') {
    const message =
      'Cannot transition status via :enqueue from :pending (Reason(s): Status cannot transition via "enqueue")'
    return { status: 400, body: { message } }
  }
  const { state: status, ...text } = sent
  if (running) Object.assign(running, { status, ...text })
  else state.statuses.push({ sha, project: project.id, status, ...text })
  return { status: 201, body: { id: nextId(), sha, status, name: text.name, created_at: nextTime() } }
}

function answerHooks(state: FakeGitLabState, request: ApiRequest, id: string | undefined): ApiAnswer {
  if (state.bot.level < 40) return { status: 403, body: { message: '403 Forbidden' } }
  const shown = (hook: Record<string, unknown>) => ({ id: hook['id'], url: hook['url'], name: hook['name'] })
  if (request.method === 'GET') return { status: 200, body: state.hooks.map(shown) }
  const sent = request.body as Record<string, unknown>
  const present = state.hooks.find((hook) => String(hook['id']) === id)
  if (request.method === 'DELETE') {
    state.hooks = state.hooks.filter((hook) => hook !== present)
    return { status: 204 }
  }
  const hook = present ?? { id: nextId() }
  Object.assign(hook, sent)
  if (!present) state.hooks.push(hook)
  return { status: present ? 200 : 201, body: shown(hook) }
}
