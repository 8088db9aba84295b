import { z } from 'zod'
import { mergeStyles } from '../../../../src/integrations/forges/merging.ts'
import type { ApiAnswer, ApiRequest } from '../described-server.ts'
import type { FakeOrigin } from '../fake-origin.ts'
import {
  commentBody,
  example,
  invalid,
  invalidField,
  issueBody,
  notFound,
  page,
  pullBody,
  seconds,
  textOf,
} from './github-bodies.ts'
import type { FakePull, FakeSaid, GitHubState } from './github-state.ts'

export function routePull(
  fake: GitHubState,
  origin: FakeOrigin,
  request: ApiRequest,
  pull: FakePull,
  { kind, more, body }: { kind: string; more: string | undefined; body: Record<string, unknown> },
): ApiAnswer {
  const { method } = request
  if (more === undefined) {
    if (method === 'PATCH')
      Object.assign(
        pull,
        z
          .object({
            title: z.string(),
            body: z.string(),
            base: z.string(),
            state: z.enum(['open', 'closed']),
          })
          .partial()
          .parse(body),
      )
    return { status: 200, body: pullBody(pull, request, 'pullRequest') }
  }
  const saidOf = (wanted: FakeSaid['kind']): FakeSaid[] => {
    const since = request.query.get('since')
    return fake.said.filter(
      (one) =>
        one.pull === pull.number &&
        one.kind === wanted &&
        (since === null || new Date(one.at) >= new Date(since)),
    )
  }
  switch (`${kind} ${more} ${method}`) {
    case 'issues comments GET':
      return page(request, saidOf('comment').map(commentBody))
    case 'issues comments POST': {
      const said = fake.say({ pull: pull.number, body: String(body['body']), login: 'robot' })
      return { status: 201, body: commentBody(said) }
    }
    case 'issues labels POST':
      pull.labels.push(...z.string().array().parse(body['labels']))
      return { status: 200, body: [example('label')] }
    case 'issues assignees POST':
      pull.assignees.push(...z.string().array().parse(body['assignees']))
      return { status: 201, body: issueBody(pull) }
    case 'pulls requested_reviewers POST': {
      const names = z.string().array().parse(body['reviewers'])
      if (names.some((name) => !fake.people.has(name))) {
        return invalid('Reviews may only be requested from collaborators.')
      }
      pull.reviewers.push(...names)
      return { status: 201, body: pullBody(pull, request, 'pullRequestSimple') }
    }
    case 'pulls merge PUT':
      return mergePull(fake, origin, pull, body)
    case 'pulls files GET': {
      const changes = origin.changes(pull.base, pull.sha)
      return page(
        request,
        changes.map((change) => ({
          ...example('file'),
          filename: change.new,
          status: change.old === undefined ? 'modified' : 'renamed',
          ...(change.old === undefined ? {} : { previous_filename: change.old }),
        })),
      )
    }
    case 'pulls comments GET':
      return page(
        request,
        saidOf('line').map((said) => ({
          ...example('reviewComment'),
          ...textOf(said),
          created_at: said.at,
          updated_at: said.at,
          path: 'index.md',
          line: 3,
        })),
      )
    case 'pulls reviews GET':
      return page(
        request,
        saidOf('review').map((said) => ({ ...example('review'), ...textOf(said), submitted_at: said.at })),
      )
    default:
      return notFound
  }
}

function mergePull(
  fake: GitHubState,
  origin: FakeOrigin,
  pull: FakePull,
  body: Record<string, unknown>,
): ApiAnswer {
  const given = z
    .object({ sha: z.string().optional(), merge_method: z.enum(mergeStyles).default('merge') })
    .parse(body)
  const { merges } = fake
  const style = given.merge_method
  const no = (status: number, message: string): ApiAnswer => ({
    status,
    body: { message, documentation_url: 'https://docs.github.com/rest/pulls/pulls#merge-a-pull-request' },
  })
  if (pull.state !== 'open' || pull.draft) return no(405, 'Pull Request is not mergeable')
  if (given.sha !== undefined && given.sha !== pull.sha)
    return no(409, 'Head branch was modified. Review and try the merge again.')
  if (merges.refusal !== undefined) return no(405, merges.refusal)
  if (!merges.styles.includes(style))
    return no(405, `${style[0]?.toUpperCase()}${style.slice(1)} merges are not allowed on this repository.`)
  origin.merge(pull.base, pull.sha)
  merges.done.push({ number: pull.number, style, head: pull.sha })
  Object.assign(pull, { state: 'closed', mergedAt: seconds(new Date()) })
  const sha = origin.head(pull.base) ?? ''
  return { status: 200, body: { sha, merged: true, message: 'Pull Request successfully merged' } }
}

export function openPull(
  fake: GitHubState,
  origin: FakeOrigin,
  request: ApiRequest,
  body: Record<string, unknown>,
): ApiAnswer {
  const given = z
    .object({
      title: z.string(),
      head: z.string(),
      base: z.string(),
      body: z.string().default(''),
      draft: z.boolean().default(false),
      maintainer_can_modify: z.boolean().default(true),
    })
    .parse(body)
  const [first = '', second] = given.head.split(':')
  const [owner, head] = second === undefined ? ['acme', first] : [first, second]
  const sha = origin.head(head)
  if (sha === undefined) return invalidField('head')
  if (origin.head(given.base) === undefined) return invalidField('base')
  const present = fake.pulls.some(
    (pull) => pull.state === 'open' && pull.head === head && pull.owner === owner && pull.base === given.base,
  )
  if (present) return invalid(`A pull request already exists for ${owner}:${head}.`)
  if (origin.ahead(given.base, head) === 0) return invalid(`No commits between ${given.base} and ${head}`)
  if (given.draft && !fake.settings.drafts) {
    return {
      status: 422,
      body: { message: 'Draft pull requests are not supported in this repository.', documentation_url: '' },
    }
  }
  // Only people let others into their forks.
  if (fake.settings.organizationFork && owner !== 'acme' && given.maintainer_can_modify)
    return invalid("Fork collab can't be granted by someone without permission")
  const pull: FakePull = {
    ...given,
    number: fake.pulls.length + 1,
    owner,
    head,
    sha,
    state: 'open',
    mergedAt: null,
    labels: [],
    reviewers: [],
    assignees: [],
  }
  fake.pulls.push(pull)
  return { status: 201, body: pullBody(pull, request, 'pullRequest') }
}
