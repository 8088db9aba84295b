import { z } from 'zod'
import { serveDescribedApi, type ApiAnswer, type ApiRequest } from '../described-server.ts'
import { fakeMerges } from '../fake-merges.ts'
import type { FakeOrigin } from '../fake-origin.ts'
import { serveGit } from '../git-backend.ts'
import {
  commentBody,
  failure,
  giteaBase,
  notFound,
  page,
  person,
  pullBody,
  repositoryBody,
  time,
} from './gitea-bodies.ts'
import { giteaApi } from './gitea-api.ts'
import { changeReaction, openPull, routePull } from './gitea-pulls.ts'
import type { FakeGitea, GiteaState } from './gitea-state.ts'

export async function startFakeGitea(origin: FakeOrigin & { forget: () => void }): Promise<FakeGitea> {
  const fake: GiteaState = {
    pulls: [],
    comments: [],
    reviews: [],
    hooks: [],
    teams: [],
    gitTroubles: [],
    merges: fakeMerges(),
    statuses: [],
    labels: [{ id: 4, name: 'Docs' }],
    tokens: new Map([['all', ['write:repository', 'write:issue', 'read:user', 'read:organization']]]),
    people: new Map([
      ['acme', 'owner'],
      ['maintainer', 'write'],
      ['reader', 'read'],
    ]),
    settings: {
      name: 'acme/docs',
      archived: false,
      pulls: true,
      admin: true,
      organization: false,
      old: false,
      pageSize: 50,
      zone: '+02:00',
    },
    say(said) {
      const made = {
        id: 300 + fake.comments.length,
        login: 'maintainer',
        at: time(fake, new Date()),
        reactions: [],
        ...said,
      }
      fake.comments.push(made)
      return made
    },
  }
  const git = serveGit({
    find: (path) => ([fake.settings.name, 'robot/docs'].includes(path) ? origin.folder : undefined),
    moved: (path) => (path === 'acme/docs' && fake.settings.name !== path ? fake.settings.name : undefined),
    allows: (password) => fake.tokens.has(password),
    onDone: origin.forget,
    troubles: fake.gitTroubles,
  })
  const server = await serveDescribedApi(giteaApi, giteaBase, (request) => route(fake, origin, request), git)
  return Object.assign(fake, { server })
}

function route(fake: GiteaState, origin: FakeOrigin, request: ApiRequest): ApiAnswer | Promise<ApiAnswer> {
  const parts = request.path.slice(1).split('/').map(decodeURIComponent)
  const { method, headers } = request
  if (parts[0] === 'version') return { status: 200, body: { version: '1.22.0' } }
  const token = /^token (.+)$/.exec(headers.get('authorization') ?? '')?.[1] ?? ''
  const scopes = fake.tokens.get(token)
  if (!scopes) {
    if (fake.settings.old && parts[0] !== 'user') return notFound
    return failure(401, 'invalid username, password or token')
  }
  const scope = scopeFor(method, parts)
  if (!scopes.includes(scope) && !scopes.includes(scope.replace('read', 'write'))) {
    return failure(403, `token does not have at least one of required scope(s): [${scope}]`)
  }
  if (parts[0] === 'user') return { status: 200, body: person('robot') }
  if (parts[0] === 'orgs') {
    if (!fake.settings.organization) return notFound
    return parts[2] === 'labels' ? page(fake, request, []) : notFound
  }
  if (parts[0] === 'teams') {
    const team = fake.teams.find(({ id }) => id === Number(parts[1]))
    // Of others than its members.
    if (!team?.members.includes('robot')) return failure(403, 'Must be a team member')
    return page(fake, request, team.members.map(person))
  }
  const path = `${parts[1]}/${parts[2]}`
  const { name } = fake.settings
  if (path === 'acme/docs' && name !== path) {
    const query = request.query.size > 0 ? `?${request.query.toString()}` : ''
    const location = `${request.origin}${giteaBase}/repos/${name}${request.path.slice('/repos/acme/docs'.length)}${query}`
    return { status: 307, headers: { location }, body: '' }
  }
  if (path !== name && path !== 'robot/docs') return notFound
  return routeRepository(fake, origin, request, parts.slice(3), path === name ? 1 : 2)
}

function scopeFor(method: string, [first, , , kind]: string[]): string {
  const level = method === 'GET' ? 'read' : 'write'
  if (first === 'user') return `${level}:user`
  if (first === 'orgs' || first === 'teams') return `${level}:organization`
  return `${level}:${kind === 'issues' || kind === 'labels' ? 'issue' : 'repository'}`
}

function routeRepository(
  fake: GiteaState,
  origin: FakeOrigin,
  request: ApiRequest,
  rest: string[],
  id: number,
): ApiAnswer | Promise<ApiAnswer> {
  const { method } = request
  const [kind, first, second] = rest
  const body = z.record(z.string(), z.unknown()).catch({}).parse(request.body)
  for (const pull of fake.pulls)
    pull.sha = (pull.state === 'open' ? origin.head(pull.head) : undefined) ?? pull.sha
  if (kind === undefined) return { status: 200, body: repositoryBody(fake, id) }
  if (method !== 'GET' && fake.settings.archived) return failure(423, 'Repo is archived')
  switch (kind) {
    case 'labels':
      if (method === 'GET') return page(fake, request, fake.labels)
      fake.labels.push({ id: 5 + fake.labels.length, name: String(body['name']) })
      return { status: 201, body: fake.labels.at(-1) }
    case 'assignees': {
      // Everybody who reads, in an organization.
      const { organization } = fake.settings
      const named = [...fake.people].flatMap(([name, may]) => (may !== 'read' || organization ? [name] : []))
      const members = organization ? fake.teams.flatMap((team) => team.members) : []
      return { status: 200, body: [...new Set([...named, ...members])].map(person) }
    }
    case 'teams':
      if (!fake.settings.organization) return failure(405, 'repo is not owned by an organization')
      return { status: 200, body: fake.teams.map((team) => ({ ...team, members: undefined })) }
    case 'collaborators':
      if (second === undefined) return fake.people.has(first ?? '') ? { status: 204 } : notFound
      if (!fake.settings.admin)
        return failure(
          403,
          'Only admins can query all permissions, repo admins can query all repo permissions, collaborators can query only their own',
        )
      return {
        status: 200,
        body: {
          permission: fake.people.get(first ?? '') ?? 'read',
          role_name: '',
          user: person(first ?? ''),
        },
      }
    case 'statuses':
      fake.statuses.push({ sha: first ?? '', body })
      return { status: 201, body: { id: 1, status: body['state'], ...body } }
    case 'hooks':
      return routeHooks(fake, request, first, body)
    case 'compare':
      return compare(origin, rest.slice(1).join('/'))
    case 'pulls':
      if (first === undefined) {
        if (method === 'POST') return openPull(fake, origin, request, body)
        const state = request.query.get('state') ?? 'all'
        const list = fake.pulls.filter((pull) => state === 'all' || pull.state === state).toReversed()
        return page(
          fake,
          request,
          list.map((pull) => pullBody(fake, origin, request, pull)),
        )
      }
      if (second !== undefined && !/^\d+$/.test(first))
        return findByBoth(fake, origin, request, first, second)
      break
    case 'issues':
      if (first !== 'comments') break
      if (request.method === 'PATCH') {
        const said = fake.comments.find((one) => one.id === Number(second))
        if (said === undefined) return notFound
        said.body = String(body['body'])
        return { status: 200, body: commentBody(said, request.origin) }
      }
      if (rest[3] === 'reactions') return changeReaction(fake, Number(second), String(body['content']))
      return notFound
    default:
      return notFound
  }
  const pull = fake.pulls.find((one) => one.number === Number(first))
  return pull ? routePull(fake, origin, request, pull, { kind, rest: rest.slice(2), body }) : notFound
}

function findByBoth(
  fake: GiteaState,
  origin: FakeOrigin,
  request: ApiRequest,
  base: string,
  head: string,
): ApiAnswer {
  const [owner, branch] = head.includes(':') ? head.split(':') : ['acme', head]
  const from = owner === 'acme' ? 1 : 2
  // The oldest of several: the order is not asked for.
  const found = fake.pulls.find((pull) => pull.base === base && pull.head === branch && pull.from === from)
  return found ? { status: 200, body: pullBody(fake, origin, request, found) } : notFound
}

function compare(origin: FakeOrigin, pair: string): ApiAnswer {
  const [base = '', name = ''] = pair.split('...')
  const head = name.split(':').at(-1) ?? ''
  if (origin.head(base) === undefined || origin.head(head) === undefined) return notFound
  return { status: 200, body: { total_commits: origin.ahead(base, head), commits: [] } }
}

function routeHooks(
  fake: GiteaState,
  request: ApiRequest,
  id: string | undefined,
  body: Record<string, unknown>,
): ApiAnswer {
  if (!fake.settings.admin)
    return failure(403, 'user should be an owner or a collaborator with admin write of a repository')
  const toBody = (hook: { id: number; body: Record<string, unknown> }): unknown => {
    const { url, content_type } = z.record(z.string(), z.string()).parse(hook.body['config'])
    // The secret is not shown.
    return {
      id: hook.id,
      type: 'gitea',
      active: true,
      events: shownEvents(z.string().array().parse(hook.body['events'])),
      config: { url, content_type },
    }
  }
  if (request.method === 'GET') return page(fake, request, fake.hooks.map(toBody), false)
  if (request.method === 'POST') {
    const hook = { id: (fake.hooks.at(-1)?.id ?? 0) + 1, body }
    fake.hooks.push(hook)
    return { status: 201, body: toBody(hook) }
  }
  const hook = fake.hooks.find((one) => one.id === Number(id))
  if (!hook) return notFound
  if (request.method === 'DELETE') {
    fake.hooks.splice(fake.hooks.indexOf(hook), 1)
    return { status: 204 }
  }
  // The secret stays, whatever is given.
  const { secret } = z.record(z.string(), z.string()).parse(hook.body['config'])
  hook.body = { ...hook.body, ...body, config: { ...z.looseObject({}).parse(body['config']), secret } }
  return { status: 200, body: toBody(hook) }
}

/** By the names that it calls with. */
function shownEvents(events: string[]): string[] {
  const reviews = ['approved', 'rejected', 'comment'].map((kind) => `pull_request_review_${kind}`)
  const shown = events.flatMap((event) => {
    if (event === 'pull_request_only') return ['pull_request']
    return event === 'pull_request_review' ? reviews : [event]
  })
  return [...new Set(shown)]
}
