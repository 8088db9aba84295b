import { mayDo, type Caller, type Verb } from '../../features/projects/allow.ts'
import type { Project } from '../../features/projects/projects.ts'

export const findKinds = ['action', 'place', 'project', 'page', 'job'] as const

/** Something that a person can go to or do. */
export interface Found {
  kind: (typeof findKinds)[number]
  title: string
  /** Tells it apart from others of the same title. */
  detail: string
  url: string
  /** It is done by sending a form there, with these fields. */
  isForm?: true
}

/** What there is for each project: where it is, below the project's path, and what one has to be allowed. */
const ofProject: readonly (readonly [kind: 'action' | 'place', title: string, path: string, verb: Verb])[] = [
  ['action', 'New job', '/jobs/new', 'createJob'],
  ['action', 'Sync now', '/sync', 'syncProject'],
  ['action', 'Create an API key', '/keys', 'createKey'],
  ['action', 'Put the assistant on your site', '/widget', 'createKey'],
  ['place', 'Jobs', '/jobs', 'listJobs'],
  ['place', 'Pull requests', '/pulls', 'listPullRequests'],
  ['place', 'Problems', '/problems', 'listProblems'],
  ['place', 'Assistant: playground', '/assistant', 'getInsights'],
  ['place', 'Assistant: conversations', '/assistant/conversations', 'listThreads'],
  ['place', 'Assistant: gaps', '/assistant/gaps', 'listGaps'],
  ['place', 'Assistant: searches', '/assistant/searches', 'getInsights'],
  ['place', 'Assistant: use', '/assistant/use', 'getInsights'],
  ['place', 'Settings: General', '/settings', 'changeSettings'],
  ['place', 'Settings: Git host', '/settings/host', 'changeSettings'],
  ['place', 'Settings: Agent', '/settings/agent', 'changeSettings'],
  ['place', 'Settings: Assistant', '/settings/assistant', 'changeSettings'],
  ['place', 'Settings: Search by meaning', '/settings/search', 'changeSettings'],
  ['place', 'Settings: Policy', '/settings/policy', 'changeSettings'],
  ['place', 'Settings: Limits and budget', '/settings/limits', 'changeSettings'],
  ['place', 'Settings: API keys', '/keys', 'listKeys'],
  ['place', 'Settings: Webhooks', '/webhooks', 'listWebhooks'],
]

const ofServer: readonly (readonly [kind: 'action' | 'place', title: string, url: string, verb: Verb])[] = [
  ['action', 'Add a project', '/add-project', 'addProject'],
  ['action', 'Sign out', '/sign-out', 'signOut'],
  ['place', 'Projects', '/projects', 'listProjects'],
  ['place', 'People', '/people', 'listPeople'],
  ['place', 'Your account', '/account', 'getAccount'],
  ['place', 'Audit log', '/audit', 'listAudit'],
  ['place', 'API reference', '/reference', 'getDescription'],
]

/** Done by sending a form. */
const forms: ReadonlySet<string> = new Set(['Sync now', 'Sign out'])

/** Pages of the dashboard and what can be done on each, for everybody and for each project, as far as a person may. */
export function places(caller: Caller, projects: readonly Project[], current: Project | undefined): Found[] {
  const order = current ? [current, ...projects.filter(({ id }) => id !== current.id)] : projects
  const all = order.flatMap(({ domain, organizationId }) => [
    ...ofProject.flatMap(([kind, title, path, verb]) =>
      mayDo(caller, verb, organizationId) ? [place(kind, title, `/projects/${domain}${path}`, domain)] : [],
    ),
    place('place', 'Documentation', `/docs/${domain}/`, domain),
  ])
  const server = ofServer.flatMap(([kind, title, url, verb]) =>
    mayDo(caller, verb) ? [place(kind, title, url, 'Docwright')] : [],
  )
  const named = order.map(({ domain, location }): Found => ({
    kind: 'project',
    title: domain,
    detail: location,
    url: `/projects/${domain}`,
  }))
  const isOperator = caller.kind === 'operator' || (caller.kind === 'person' && caller.person.isOperator)
  return [
    ...all,
    ...server,
    ...named,
    ...(isOperator ? [place('place', 'Server', '/server', 'Docwright')] : []),
  ]
}

function place(kind: Found['kind'], title: string, url: string, detail: string): Found {
  return { kind, title, detail, url, ...(forms.has(title) && { isForm: true as const }) }
}
