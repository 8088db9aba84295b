import type { Caller } from '../../features/projects/allow.ts'
import type { Project } from '../../features/projects/projects.ts'
import { mayGo } from '../addresses.ts'

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

type Place = readonly [kind: 'action' | 'place', title: string, path: string]

/** What there is for each project, below the project's path. */
const ofProject: readonly Place[] = [
  ['action', 'Start a job', '/jobs/new'],
  ['action', 'Sync now', '/sync'],
  ['action', 'Create an API key', '/keys'],
  ['action', 'Put the assistant on your site', '/widget'],
  ['place', 'Jobs', '/jobs'],
  ['place', 'Pull requests', '/pulls'],
  ['place', 'Problems', '/problems'],
  ['place', 'Assistant: overview', '/assistant'],
  ['place', 'Assistant: playground', '/assistant/playground'],
  ['place', 'Assistant: conversations', '/assistant/conversations'],
  ['place', 'Assistant: gaps', '/assistant/gaps'],
  ['place', 'Assistant: searches', '/assistant/searches'],
  ['place', 'Assistant: use over time', '/assistant/use'],
  ['place', 'Settings: General', '/settings'],
  ['place', 'Settings: Git host', '/settings/host'],
  ['place', 'Settings: Agent', '/settings/agent'],
  ['place', 'Settings: Assistant', '/settings/assistant'],
  ['place', 'Settings: Search by meaning', '/settings/search'],
  ['place', 'Settings: Policy', '/settings/policy'],
  ['place', 'Settings: Limits and budget', '/settings/limits'],
  ['place', 'Settings: API keys', '/keys'],
  ['place', 'Settings: Webhooks', '/webhooks'],
  ['place', 'Settings: Widget', '/widget'],
]

const ofServer: readonly Place[] = [
  ['action', 'Add a project', '/add-project'],
  ['action', 'Sign out', '/sign-out'],
  ['place', 'Projects', '/projects'],
  ['place', 'People', '/people'],
  ['place', 'Your account', '/account'],
  ['place', 'Audit log', '/audit'],
  ['place', 'API reference', '/reference'],
  ['place', 'Server', '/server'],
]

/** Done by sending a form. */
const forms: ReadonlySet<string> = new Set(['Sync now', 'Sign out'])

/**
 * Pages of the dashboard and what can be done on each, for everybody and for each project, as far as a person may.
 * @param shown the organization that pages outside of projects are about
 */
export function places(
  caller: Caller,
  projects: readonly Project[],
  { current, shown }: { current: Project | undefined; shown: string | undefined },
): Found[] {
  const order = current ? [current, ...projects.filter(({ id }) => id !== current.id)] : projects
  const listed = (all: readonly Place[], base: string, detail: string, organizationId: string | undefined) =>
    all
      .map(([kind, title, path]) => place(kind, title, `${base}${path}`, detail))
      .filter(({ url, isForm }) => mayGo(caller, isForm ? 'post' : 'get', url, organizationId))
  const named = order.map(({ domain, location }): Found => ({
    kind: 'project',
    title: domain,
    detail: location,
    url: `/projects/${domain}`,
  }))
  return [
    ...order.flatMap(({ domain, organizationId }) => [
      ...listed(ofProject, `/projects/${domain}`, domain, organizationId),
      place('place', 'Documentation', `/docs/${domain}/`, domain),
    ]),
    ...listed(ofServer, '', 'Docwright', shown),
    ...named,
  ]
}

function place(kind: Found['kind'], title: string, url: string, detail: string): Found {
  return { kind, title, detail, url, ...(forms.has(title) && { isForm: true as const }) }
}
