import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { mergeStyles } from '../../../../src/integrations/forges/merging.ts'
import type { ApiAnswer, ApiRequest } from '../described-server.ts'
import type { FakeOrigin } from '../fake-origin.ts'
import { commentBody, failure, lineBody, notFound, page, pullBody, reviewBody } from './gitea-bodies.ts'
import type { GiteaPull, GiteaState } from './gitea-state.ts'

export async function openPull(
  fake: GiteaState,
  origin: FakeOrigin,
  request: ApiRequest,
  body: Record<string, unknown>,
): Promise<ApiAnswer> {
  const given = z
    .object({ title: z.string(), head: z.string(), base: z.string(), body: z.string().default('') })
    .parse(body)
  if (given.head === given.base) {
    return failure(422, 'Invalid PullRequest: There are no changes between the head and the base')
  }
  const [owner, head = ''] = given.head.includes(':') ? given.head.split(':') : ['acme', given.head]
  const from = owner === 'acme' ? 1 : 2
  const sha = origin.head(head)
  if (sha === undefined || origin.head(given.base) === undefined) return notFound
  const present = fake.pulls.find(
    (pull) => pull.state === 'open' && pull.head === head && pull.base === given.base && pull.from === from,
  )
  if (present) {
    const targets = `head_repo_id: ${from}, base_repo_id: 1, head_branch: ${head}, base_branch: ${given.base}`
    return failure(
      409,
      `pull request already exists for these targets [id: 1, issue_id: ${present.number}, ${targets}]`,
    )
  }
  // A real one looks first and then takes its time, so that two at once are opened both.
  await delay(30)
  const pull: GiteaPull = {
    ...given,
    head,
    from,
    sha,
    number: fake.pulls.length + 1,
    state: 'open',
    merged: false,
    labels: [],
    reviewers: [],
    assignees: [],
  }
  fake.pulls.push(pull)
  return { status: 201, body: pullBody(fake, origin, request, pull) }
}

export function routePull(
  fake: GiteaState,
  origin: FakeOrigin,
  request: ApiRequest,
  pull: GiteaPull,
  { kind, rest, body }: { kind: string; rest: string[]; body: Record<string, unknown> },
): ApiAnswer {
  const [more, id, deeper] = rest
  const text = (): unknown => pullBody(fake, origin, request, pull)
  const names = (field: string): string[] => z.string().array().parse(body[field])
  switch (`${request.method} ${kind} ${deeper ?? more ?? ''}`.trim()) {
    case 'GET pulls':
      return { status: 200, body: text() }
    case 'PATCH pulls':
      if (body['assignees'] && names('assignees').some((name) => !fake.people.has(name)))
        return failure(422, 'Assignee does not exist')
      Object.assign(
        pull,
        z
          .object({
            title: z.string(),
            body: z.string(),
            base: z.string(),
            state: z.enum(['open', 'closed']),
            assignees: z.string().array(),
            allow_maintainer_edit: z.boolean(),
          })
          .partial()
          .parse(body),
      )
      return { status: 201, body: text() }
    case 'POST issues labels':
      pull.labels.push(...z.number().array().parse(body['labels']))
      return { status: 200, body: fake.labels.filter((label) => pull.labels.includes(label.id)) }
    case 'POST pulls requested_reviewers':
      if (names('reviewers').some((name) => !fake.people.has(name)))
        return failure(404, 'user does not exist')
      pull.reviewers.push(...names('reviewers'))
      return { status: 201, body: [] }
    case 'POST pulls merge':
      return mergePull(fake, origin, pull, body)
    case 'GET pulls files': {
      const changes = origin.changes(pull.base, pull.sha).map((change) => ({
        filename: change.new,
        status: change.old === undefined ? 'changed' : 'renamed',
        ...(change.old === undefined ? {} : { previous_filename: change.old }),
        additions: 1,
        deletions: 0,
        changes: 1,
      }))
      return page(fake, request, changes)
    }
    case 'GET issues comments': {
      const since = new Date(request.query.get('since') ?? 0)
      const found = fake.comments.filter(
        (one) => one.pull === pull.number && one.review === undefined && new Date(one.at) >= since,
      )
      return { status: 200, body: found.map((one) => commentBody(one, request.origin)) }
    }
    case 'POST issues comments': {
      const said = fake.say({ pull: pull.number, body: String(body['body']), login: 'robot' })
      return { status: 201, body: commentBody(said, request.origin) }
    }
    case 'GET pulls reviews': {
      const found = fake.reviews.filter((one) => one.pull === pull.number)
      const count = (review: number): number => fake.comments.filter((one) => one.review === review).length
      return page(
        fake,
        request,
        found.map((one) => reviewBody(one, count(one.id))),
        false,
      )
    }
    case 'GET pulls comments':
      return { status: 200, body: fake.comments.filter((one) => one.review === Number(id)).map(lineBody) }
    default:
      return notFound
  }
}

function mergePull(
  { merges }: GiteaState,
  origin: FakeOrigin,
  pull: GiteaPull,
  body: Record<string, unknown>,
): ApiAnswer {
  const given = z.object({ Do: z.enum(mergeStyles), head_commit_id: z.string().optional() }).parse(body)
  const style = given.Do
  if (pull.merged) return failure(405, 'The PR is already merged')
  if (pull.state !== 'open') return notFound
  if (!merges.may) return failure(405, 'User not allowed to merge PR')
  if (/^WIP:/i.test(pull.title)) return failure(405, 'Work in progress PRs cannot be merged')
  if (merges.early > 0) {
    merges.early--
    return failure(405, 'Please try again later')
  }
  if (merges.refusal !== undefined) return failure(405, merges.refusal)
  if (!merges.styles.includes(style))
    return failure(405, `${style} is not allowed an allowed merge style for this repository`)
  if (given.head_commit_id !== undefined && given.head_commit_id !== pull.sha)
    return failure(409, 'head out of date')
  origin.merge(pull.base, pull.sha)
  merges.done.push({ number: pull.number, style, head: pull.sha })
  Object.assign(pull, { state: 'closed', merged: true })
  return { status: 200 }
}

export function changeReaction(fake: GiteaState, id: number, content: string): ApiAnswer {
  const said = fake.comments.find((one) => one.id === id)
  if (!said) return notFound
  const isNew = !said.reactions.includes(content)
  if (isNew) said.reactions.push(content)
  return { status: isNew ? 201 : 200, body: { content } }
}
