import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { ApiAnswer, ApiRequest } from '../described-server.ts'
import type { FakePull, FakeSaid } from './github-state.ts'

export const gitHubDescription = z
  .looseObject({ examples: z.record(z.string(), z.record(z.string(), z.unknown())) })
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, 'github-openapi.json'), 'utf8')))

export const gitHubBase = '/api/v3'

export const notFound: ApiAnswer = {
  status: 404,
  body: { message: 'Not Found', documentation_url: 'https://docs.github.com/rest' },
}

export function page(request: ApiRequest, list: unknown[]): ApiAnswer {
  const size = Math.min(100, Number(request.query.get('per_page') ?? 30))
  const number = Number(request.query.get('page') ?? 1)
  const next = new URLSearchParams(request.query)
  next.set('page', String(number + 1))
  const last = new URLSearchParams(request.query)
  last.set('page', String(Math.ceil(list.length / size)))
  const address = `${request.origin}${gitHubBase}${request.path}`
  const headers: Record<string, string> =
    number * size < list.length
      ? {
          link: `<${address}?${next.toString()}>; rel="next", <${address}?${last.toString()}>; rel="last"`,
        }
      : {}
  return { status: 200, body: list.slice((number - 1) * size, number * size), headers }
}

export function pullBody(
  pull: FakePull,
  { origin }: ApiRequest,
  name: 'pullRequest' | 'pullRequestSimple',
): unknown {
  const given = z
    .looseObject({ head: z.looseObject({}), base: z.looseObject({ repo: z.looseObject({}) }) })
    .parse(example(name))
  const isFork = pull.owner !== 'acme'
  return {
    ...given,
    id: 5000 + pull.number,
    number: pull.number,
    node_id: `PR_${pull.number}`,
    title: pull.title,
    body: pull.body === '' ? null : pull.body,
    requested_teams: [],
    draft: pull.draft,
    labels: pull.labels.map((label) => ({ ...example('label'), name: label })),
    state: pull.state,
    updated_at: seconds(new Date()),
    html_url: `${origin}/acme/docs/pull/${pull.number}`,
    merged_at: pull.mergedAt,
    closed_at: pull.state === 'open' ? null : seconds(new Date()),
    ...(name === 'pullRequest' ? { merged: pull.mergedAt !== null, merged_by: null } : {}),
    head: {
      ...given.head,
      label: `${pull.owner}:${pull.head}`,
      ref: pull.head,
      sha: pull.sha,
      repo: isFork
        ? { ...given.base.repo, id: 77, full_name: `${pull.owner}/docs`, fork: true }
        : given.base.repo,
    },
    base: { ...given.base, label: `acme:${pull.base}`, ref: pull.base },
  }
}

/** What is needed of an issue is in a pull request too. */
export function issueBody({ number, title, state }: FakePull): unknown {
  const { url, ...rest } = example('pullRequestSimple')
  const links = { comments_url: url, events_url: url, labels_url: url, repository_url: url }
  return { ...rest, url, ...links, number, title, state, comments: 0, closed_at: null, draft: false }
}

export function commentBody(said: FakeSaid): unknown {
  return { ...example('issueComment'), ...textOf(said), created_at: said.at, updated_at: said.at }
}

export function textOf({ id, body, login }: FakeSaid): Record<string, unknown> {
  return { id, body, user: person(login), author_association: login === 'octocat' ? 'MEMBER' : 'NONE' }
}

export function person(login: string): Record<string, unknown> {
  const user = z.record(z.string(), z.unknown()).parse(example('issueComment')['user'])
  return { ...user, login, type: login.endsWith('[bot]') ? 'Bot' : 'User' }
}

export function invalid(message: string): ApiAnswer {
  const errors = [{ resource: 'PullRequest', code: 'custom', message }]
  return { status: 422, body: { message: 'Validation Failed', errors, documentation_url: '' } }
}

export function invalidField(field: string): ApiAnswer {
  const errors = [{ resource: 'PullRequest', field, code: 'invalid' }]
  return { status: 422, body: { message: 'Validation Failed', errors, documentation_url: '' } }
}

export function example(name: string): Record<string, unknown> {
  return gitHubDescription.examples[name] ?? {}
}

export function seconds(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`
}
