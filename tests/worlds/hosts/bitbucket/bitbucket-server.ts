import description from './bitbucket-openapi.json' with { type: 'json' }
import { bitbucketAmendments } from './bitbucket-amendments.ts'
import { account, asked, notFound, page, refused } from './bitbucket-answers.ts'
import { answerDiffstat, answerPulls } from './bitbucket-pulls.ts'
import { answerRemarks } from './bitbucket-remarks.ts'
import { nextId, type FakeBitbucketState, type FakeRepository } from './bitbucket-state.ts'
import { describedApi } from '../described-api.ts'
import {
  serveDescribedApi,
  type ApiAnswer,
  type ApiRequest,
  type DescribedServer,
} from '../described-server.ts'
import { serveGit } from '../git-backend.ts'

const api = describedApi(description, { nulls: true, amendments: bitbucketAmendments })

/** What Bitbucket says with a 401 and a 429. */
export const bitbucketWords: { expired: unknown; limited: ApiAnswer } = {
  expired: {
    type: 'error',
    error: { message: 'Token is invalid, expired, or not supported for this endpoint.' },
  },
  limited: {
    status: 429,
    body: { type: 'error', error: { message: 'Rate limit for this resource has been exceeded' } },
  },
}

/** For tests: Bitbucket's API as its description and its manners are, and git beside it. */
export function startFakeBitbucket(state: FakeBitbucketState): Promise<DescribedServer> {
  const git = serveGit({
    find: (path) => state.repositories.find((one) => one.full_name === path)?.origin.folder,
    allows: (password, user) => state.authorization === `Bearer ${password}` && user === 'x-token-auth',
    troubles: state.gitTroubles,
  })
  return serveDescribedApi(
    api,
    '/2.0',
    (request) => {
      const given = answer(state, request)
      return { ...given, headers: { ...given.headers, 'x-oauth-scopes': state.scopes.join(', ') } }
    },
    git,
  )
}

function answer(state: FakeBitbucketState, request: ApiRequest): ApiAnswer {
  const { method, headers, path } = request
  if (headers.get('authorization') !== state.authorization) {
    return { status: 401, body: bitbucketWords.expired }
  }
  const [root, workspace, name, part = '', ...rest] = path.split('/').slice(1).map(decodeURIComponent)
  if (root === 'user') return lacks(state, 'account') ?? { status: 200, body: account(state.bot) }
  if (root === 'workspaces') return lacks(state, 'account') ?? answerWorkspace(state, request, name)
  const repository = state.repositories.find(({ full_name, formerly }) =>
    [full_name, formerly].includes(`${workspace}/${name}`),
  )
  if (!repository) return notFound
  const isWrite = method !== 'GET'
  switch (part) {
    case '':
      return { status: 200, body: describe(repository) }
    case 'pullrequests': {
      const lacking = lacks(state, isWrite ? 'pullrequest:write' : 'pullrequest')
      if (lacking) return lacking
      if (rest[1] === 'comments') return answerRemarks(state, request, Number(rest[0]), rest[2])
      return answerPulls(state, repository, request, rest)
    }
    case 'diffstat':
      return answerDiffstat(state, request)
    case 'refs':
      return answerBranch(repository, rest.slice(1).join('/'))
    case 'commits':
      return answerCommits(state, repository, request)
    case 'commit':
      return answerStatus(state, request, rest[0] ?? '')
    case 'hooks':
      return lacks(state, 'webhook') ?? answerHooks(state, request, rest[0])
    case 'permissions-config':
      return (
        lacks(state, 'repository:admin') ??
        (rest[0] === 'groups' ? answerGroups(state, request) : answerPermission(state, rest[1]))
      )
    default:
      return notFound
  }
}

// Writing includes reading.
function lacks({ scopes }: FakeBitbucketState, scope: string): ApiAnswer | undefined {
  if (scopes.some((one) => one === scope || one === `${scope}:write`)) return undefined
  return refused(403, 'Your credentials lack one or more required privilege scopes.', {
    detail: { required: [scope], granted: scopes },
  })
}

function describe({ full_name, origin }: FakeRepository): unknown {
  const mainbranch = origin.head('main') === undefined ? null : { type: 'branch', name: 'main' }
  return { type: 'repository', full_name, mainbranch }
}

function answerBranch({ origin }: FakeRepository, name: string): ApiAnswer {
  const hash = origin.head(name)
  return hash === undefined
    ? notFound
    : { status: 200, body: { type: 'branch', name, target: { type: 'commit', hash } } }
}

function answerCommits(
  state: FakeBitbucketState,
  { origin }: FakeRepository,
  request: ApiRequest,
): ApiAnswer {
  const [last, first] = ['include', 'exclude'].map((name) => origin.head(request.query.get(name) ?? ''))
  if (last === undefined || first === undefined) return notFound
  const commits = Array.from({ length: origin.ahead(first, last) }, () => ({ type: 'commit', hash: last }))
  return page(state, request, commits)
}

function answerStatus(state: FakeBitbucketState, request: ApiRequest, commit: string): ApiAnswer {
  const sent = request.body as Record<string, unknown>
  const present = state.statuses.find((one) => one['commit'] === commit && one['key'] === sent['key'])
  if (present) Object.assign(present, sent)
  else state.statuses.push({ commit, ...sent })
  return { status: 201, body: { type: 'build', ...sent } }
}

function answerHooks(state: FakeBitbucketState, request: ApiRequest, id: string | undefined): ApiAnswer {
  const show = ({ secret: _secret, ...hook }: Record<string, unknown>) => ({ ...hook, secret_set: true })
  if (request.method === 'GET') return page(state, request, state.hooks.map(show))
  const sent = request.body as Record<string, unknown>
  const present = state.hooks.find((hook) => hook['uuid'] === id)
  if (request.method === 'DELETE') {
    state.hooks = state.hooks.filter((one) => one !== present)
    return { status: 204 }
  }
  const hook = present ?? { type: 'webhook_subscription', uuid: `{${nextId()}}` }
  Object.assign(hook, sent)
  if (!present) state.hooks.push(hook)
  return { status: present ? 200 : 201, body: show(hook) }
}

function answerWorkspace(
  state: FakeBitbucketState,
  request: ApiRequest,
  part: string | undefined,
): ApiAnswer {
  if (part === 'members') {
    const members = state.accounts.map((one) => ({ type: 'workspace_membership', user: account(one) }))
    return page(state, request, members)
  }
  if (state.bot.permission !== 'admin') return refused(403, 'Forbidden')
  const uuid = asked(request, 'user.uuid')
  const held = state.accounts.filter((one) => one.permission !== 'none' && (!uuid || one.uuid === uuid))
  return page(state, request, held.map(permissionOf))
}

function answerPermission(state: FakeBitbucketState, uuid: string | undefined): ApiAnswer {
  const found = state.accounts.find((one) => one.uuid === uuid)
  return found ? { status: 200, body: permissionOf(found) } : notFound
}

function answerGroups(state: FakeBitbucketState, request: ApiRequest): ApiAnswer {
  const groups = (state.groups ?? []).map((permission) => ({
    type: 'repository_group_permission',
    permission,
  }))
  return page(state, request, groups)
}

function permissionOf(one: FakeBitbucketState['bot']): unknown {
  return { type: 'repository_permission', user: account(one), permission: one.permission }
}
