import { z } from 'zod'
import { describedApi } from '../described-api.ts'
import { serveDescribedApi, type ApiAnswer, type ApiRequest } from '../described-server.ts'
import { fakeMerges } from '../fake-merges.ts'
import type { FakeOrigin } from '../fake-origin.ts'
import { serveGit } from '../git-backend.ts'
import { routeApp } from './github-app.ts'
import {
  commentBody,
  example,
  gitHubBase,
  gitHubDescription,
  invalid,
  notFound,
  page,
  person,
  pullBody,
  seconds,
} from './github-bodies.ts'
import { serveGraphql } from './github-graphql.ts'
import { routeHooks } from './github-hooks.ts'
import { openPull, routePull } from './github-pulls.ts'
import type { FakeGitHub, FakeSaid, GitHubState } from './github-state.ts'

const api = describedApi(gitHubDescription)

export async function startFakeGitHub(origin: FakeOrigin & { forget: () => void }): Promise<FakeGitHub> {
  const fake: GitHubState = {
    pulls: [],
    said: [],
    hooks: [],
    statuses: [],
    tokens: new Map([['ghp_all', undefined]]),
    people: new Map([['octocat', 'admin']]),
    settings: {
      archived: false,
      drafts: true,
      organizationFork: false,
      ahead: 0,
      app: undefined,
      installed: true,
      lasting: 3_600_000,
      tail: '',
      name: 'acme/docs',
    },
    issued: [],
    merges: fakeMerges(),
    gitTroubles: [],
    say(said) {
      const made: FakeSaid = {
        id: 900 + fake.said.length,
        kind: 'comment',
        login: 'octocat',
        at: seconds(new Date()),
        reactions: [],
        ...said,
      }
      fake.said.push(made)
      return made
    },
  }
  const answer = (request: ApiRequest): ApiAnswer => {
    const given = route(fake, origin, request)
    const date = new Date(Date.now() + fake.settings.ahead).toUTCString()
    const expires = fake.settings.expires
    const more = expires === undefined ? {} : { 'github-authentication-token-expiration': expires }
    return { ...given, headers: { 'x-github-request-id': '1', date, ...more, ...given.headers } }
  }
  const git = serveGit({
    find: (path) => ([fake.settings.name, 'robot/docs'].includes(path) ? origin.folder : undefined),
    moved: (path) => (path === 'acme/docs' && fake.settings.name !== path ? fake.settings.name : undefined),
    allows(password) {
      if (!fake.tokens.has(password)) return false
      const granted = fake.tokens.get(password)
      // Of an app's: what is for requests alone opens no repository.
      return granted === undefined || !password.startsWith('ghs_') || granted['contents'] === 'write'
    },
    onDone: origin.forget,
    troubles: fake.gitTroubles,
  })
  const server = await serveDescribedApi(api, gitHubBase, answer, serveGraphql(fake, git))
  return Object.assign(fake, { server })
}

function route(fake: GitHubState, origin: FakeOrigin, request: ApiRequest): ApiAnswer {
  const renamed = request.path.replace(/^\/repositories\/1296269/, `/repos/${fake.settings.name}`)
  const parts = renamed.slice(1).split('/').map(decodeURIComponent)
  const { method, headers } = request
  if (parts[0] === 'meta')
    return { status: 200, body: { installed_version: '3.17.0', verifiable_password_authentication: true } }
  const token = /^Bearer (.+)$/.exec(headers.get('authorization') ?? '')?.[1] ?? ''
  if (parts[0] === 'app' || parts[3] === 'installation') return routeApp(fake, request, parts, token)
  if (!fake.tokens.has(token)) {
    return {
      status: 401,
      body: { message: 'Bad credentials', documentation_url: 'https://docs.github.com/rest' },
    }
  }
  const granted = fake.tokens.get(token)
  if (parts[0] === 'user') {
    return { status: 200, body: { ...example('user'), login: 'robot' } }
  }
  const path = `${parts[1]}/${parts[2]}`
  if (path === 'acme/docs' && fake.settings.name !== path) {
    const location = `${request.origin}${gitHubBase}/repositories/1296269${request.path.slice('/repos/acme/docs'.length)}`
    return {
      status: method === 'GET' ? 301 : 307,
      headers: { location },
      body: { message: 'Moved Permanently', url: location },
    }
  }
  const isMain = path === fake.settings.name
  if (!isMain && path !== 'robot/docs') return notFound
  const rest = parts.slice(3)
  const needed = neededFor(method, rest)
  const allowed = granted === undefined || needed === undefined || granted[needed] === 'write'
  if (method !== 'GET' && fake.settings.archived) {
    return {
      status: 403,
      body: { message: 'Repository was archived so is read-only.', documentation_url: '' },
    }
  }
  if (!allowed) {
    return {
      status: 403,
      headers: { 'x-accepted-github-permissions': `${needed}=write` },
      body: { message: 'Resource not accessible by personal access token', documentation_url: '' },
    }
  }
  return routeRepository(fake, origin, request, rest)
}

function neededFor(method: string, [kind, , more]: string[]): string | undefined {
  if (kind === 'hooks') return 'repository_hooks'
  if (method === 'GET') return undefined
  if (kind === 'git' || more === 'merge') return 'contents'
  if (kind === 'statuses') return 'statuses'
  return 'pull_requests'
}

function routeRepository(
  fake: GitHubState,
  origin: FakeOrigin,
  request: ApiRequest,
  rest: string[],
): ApiAnswer {
  const { method, query } = request
  const [kind, id, more, deeper] = rest
  for (const pull of fake.pulls) {
    const head = origin.head(pull.head)
    if (pull.state === 'open' && head === undefined) pull.state = 'closed'
    if (pull.state === 'open' && head !== undefined) pull.sha = head
  }
  const body = z.record(z.string(), z.unknown()).catch({}).parse(request.body)
  if (kind === undefined) {
    const isFork = request.path.startsWith('/repos/robot/')
    const [owner, name] = (isFork ? 'robot/docs' : fake.settings.name).split('/')
    const permissions = { admin: false, push: true, pull: true, maintain: false, triage: true }
    return {
      status: 200,
      body: {
        ...example('repository'),
        name,
        full_name: `${owner}/${name}`,
        default_branch: 'main',
        has_discussions: false,
        archived: fake.settings.archived,
        permissions,
        allow_merge_commit: fake.merges.styles.includes('merge'),
        allow_squash_merge: fake.merges.styles.includes('squash'),
        allow_rebase_merge: fake.merges.styles.includes('rebase'),
      },
    }
  }
  if (kind === 'git') return invalid('Object does not exist')
  if (kind === 'statuses') {
    fake.statuses.push({ sha: id ?? '', body })
    return { status: 201, body: { ...example('status'), ...body } }
  }
  if (kind === 'collaborators') {
    const permission = fake.people.get(id ?? '') ?? 'none'
    const user = { ...person(id ?? ''), role_name: permission }
    return { status: 200, body: { ...example('permission'), permission, role_name: permission, user } }
  }
  if (kind === 'hooks') return routeHooks(fake, request, id, body)
  if (kind === 'pulls' && id === undefined) {
    if (method === 'POST') return openPull(fake, origin, request, body)
    const [owner = '', head] = (query.get('head') ?? '').split(':')
    const state = query.get('state') ?? 'open'
    const list = fake.pulls
      .filter((pull) => state === 'all' || pull.state === state)
      .filter((pull) => head === undefined || (pull.head === head && pull.owner === owner))
    return page(
      request,
      list.toReversed().map((pull) => pullBody(pull, request, 'pullRequestSimple')),
    )
  }
  if ((kind === 'issues' || kind === 'pulls') && id === 'comments' && deeper === 'reactions') {
    const said = fake.said.find(
      (one) => one.id === Number(more) && one.kind === (kind === 'pulls' ? 'line' : 'comment'),
    )
    if (!said) return notFound
    const content = String(body['content'])
    const isNew = !said.reactions.includes(content)
    if (isNew) said.reactions.push(content)
    return { status: isNew ? 201 : 200, body: { ...example('reaction'), content } }
  }
  if (kind === 'issues' && id === 'comments' && method === 'PATCH') {
    const said = fake.said.find((one) => one.id === Number(more) && one.kind === 'comment')
    if (!said) return notFound
    said.body = String(body['body'])
    return { status: 200, body: commentBody(said) }
  }
  const pull = fake.pulls.find((one) => one.number === Number(id))
  if (!pull) return notFound
  return routePull(fake, origin, request, pull, { kind, more, body })
}
