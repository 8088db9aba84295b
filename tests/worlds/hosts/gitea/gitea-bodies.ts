import type { ApiAnswer, ApiRequest } from '../described-server.ts'
import type { FakeOrigin } from '../fake-origin.ts'
import type { GiteaComment, GiteaPull, GiteaReview, GiteaState } from './gitea-state.ts'

export const giteaBase = '/api/v1'

export function failure(status: number, message = ''): ApiAnswer {
  return { status, body: { message, url: 'http://gitea.example/api/swagger' } }
}

export const notFound: ApiAnswer = {
  status: 404,
  body: { errors: null, message: 'The target couldn’t be found.', url: 'http://gitea.example/api/swagger' },
}

/** `links`: not every list of Gitea has them; all have the total count. */
export function page(fake: GiteaState, request: ApiRequest, list: unknown[], links = true): ApiAnswer {
  const size = Math.min(fake.settings.pageSize, Number(request.query.get('limit') ?? 30))
  const number = Number(request.query.get('page') ?? 1)
  // As it would be known to a browser, which need not be the address that we use.
  const next = `<https://git.example.com${giteaBase}${request.path}?page=${number + 1}>; rel="next"`
  return {
    status: 200,
    body: list.slice((number - 1) * size, number * size),
    headers: {
      'x-total-count': String(list.length),
      ...(links && number * size < list.length ? { link: next } : {}),
    },
  }
}

export function pullBody(
  fake: GiteaState,
  origin: FakeOrigin,
  { origin: site }: ApiRequest,
  pull: GiteaPull,
): unknown {
  const { number, title, body, state, merged } = pull
  const link = `${site}/acme/docs/pulls/${number}`
  const isThere = origin.head(pull.head) !== undefined
  return {
    id: 70 + number,
    url: link,
    number,
    user: person('robot'),
    title,
    body,
    labels: fake.labels.filter(({ id }) => pull.labels.includes(id)),
    milestone: null,
    assignee: null,
    assignees: pull.assignees.map(person),
    requested_reviewers: pull.reviewers.map(person),
    state,
    is_locked: false,
    comments: 0,
    html_url: link,
    diff_url: `${link}.diff`,
    patch_url: `${link}.patch`,
    draft: /^(WIP:|\[WIP\])/i.test(title),
    mergeable: true,
    merged,
    merged_at: merged ? time(fake, new Date()) : null,
    merge_commit_sha: merged ? pull.sha : null,
    merged_by: null,
    allow_maintainer_edit: pull.allow_maintainer_edit === true,
    base: {
      label: pull.base,
      ref: pull.base,
      sha: origin.head(pull.base) ?? '',
      repo_id: 1,
      repo: repositoryBody(fake),
    },
    head: {
      label: pull.head,
      ref: isThere ? pull.head : `refs/pull/${number}/head`,
      sha: pull.sha,
      repo_id: pull.from,
      repo: repositoryBody(fake, pull.from),
    },
    merge_base: pull.sha,
    due_date: null,
    created_at: time(fake, new Date()),
    updated_at: time(fake, new Date()),
    closed_at: state === 'open' ? null : time(fake, new Date()),
    pin_order: 0,
  }
}

export function repositoryBody({ settings, merges }: GiteaState, id = 1): Record<string, unknown> {
  const [owner = '', name = ''] = ([settings.name, 'robot/docs'][id - 1] ?? 'stranger/docs').split('/')
  return {
    id,
    owner: person(owner),
    name,
    full_name: `${owner}/${name}`,
    description: '',
    empty: false,
    private: true,
    fork: id !== 1,
    default_branch: 'main',
    archived: settings.archived,
    has_pull_requests: settings.pulls,
    allow_merge_commits: merges.styles.includes('merge'),
    allow_squash_merge: merges.styles.includes('squash'),
    allow_rebase: merges.styles.includes('rebase'),
    allow_rebase_explicit: false,
    allow_fast_forward_only_merge: false,
    default_merge_style: 'merge',
    permissions: { admin: settings.admin, push: true, pull: true },
  }
}

export function commentBody(said: GiteaComment, site: string): unknown {
  const link = `${site}/acme/docs/pulls/${said.pull}`
  return {
    id: said.id,
    html_url: `${link}#issuecomment-${said.id}`,
    pull_request_url: link,
    issue_url: '',
    user: person(said.login),
    original_author: '',
    original_author_id: 0,
    body: said.body,
    assets: [],
    created_at: said.at,
    updated_at: said.at,
  }
}

export function lineBody(said: GiteaComment): unknown {
  const { id, body, at, review } = said
  return {
    id,
    body,
    user: person(said.login),
    resolver: null,
    pull_request_review_id: review,
    created_at: at,
    updated_at: at,
    path: 'index.md',
    commit_id: '',
    original_commit_id: '',
    diff_hunk: '@@ -1 +1 @@',
    position: 3,
    original_position: 0,
    html_url: '',
    pull_request_url: '',
  }
}

export function reviewBody(review: GiteaReview, comments: number): unknown {
  const { id, body, at, state } = review
  return {
    id,
    user: person(review.login),
    team: null,
    state,
    body,
    commit_id: '',
    stale: false,
    official: true,
    dismissed: false,
    comments_count: comments,
    submitted_at: at,
    updated_at: at,
  }
}

export function person(login: string): Record<string, unknown> {
  return {
    id: login.length,
    login,
    login_name: '',
    full_name: '',
    email: `${login}@noreply.example`,
    is_admin: false,
  }
}

/** To the second, in the zone of the server. */
export function time({ settings }: GiteaState, date: Date): string {
  return `${new Date(date.getTime() + 2 * 3_600_000).toISOString().slice(0, 19)}${settings.zone}`
}
