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

/** Pages of the dashboard, and what can be done on each, for everybody and for each project. */
export function places(projects: readonly Project[], current: Project | undefined): Found[] {
  const place = (title: string, url: string, detail = 'Docwright'): Found => ({
    kind: 'place',
    title,
    detail,
    url,
  })
  const action = (title: string, url: string, detail: string, isForm?: true): Found => ({
    kind: 'action',
    title,
    detail,
    url,
    ...(isForm && { isForm }),
  })
  const first = current ?? (projects.length === 1 ? projects[0] : undefined)
  const order = first ? [first, ...projects.filter(({ id }) => id !== first.id)] : projects
  const actions = order.flatMap(({ domain }) => [
    action('New job', `/projects/${domain}/jobs`, domain),
    action('Sync now', `/projects/${domain}/sync`, domain, true),
    action('Create an API key', `/projects/${domain}/keys`, domain),
  ])
  const pages = order.flatMap(({ domain }) => {
    const base = `/projects/${domain}`
    return [
      place('Jobs', `${base}/jobs`, domain),
      place('Pull requests', `${base}/pulls`, domain),
      place('Problems', `${base}/problems`, domain),
      place('Documentation', `/docs/${domain}/`, domain),
      ...settings.map(([title, path]) => place(`Settings: ${title}`, `${base}${path}`, domain)),
    ]
  })
  return [
    ...actions,
    action('Add a project', '/add-project', 'Docwright'),
    action('Sign out', '/sign-out', 'Docwright', true),
    ...order.map(({ domain, location }): Found => ({
      kind: 'project',
      title: domain,
      detail: location,
      url: `/projects/${domain}`,
    })),
    place('Projects', '/projects'),
    ...pages,
    place('Server', '/server'),
    place('API reference', '/reference'),
  ]
}

const settings = [
  ['General', '/settings'],
  ['Git host', '/settings/host'],
  ['Agent', '/settings/agent'],
  ['Assistant', '/settings/assistant'],
  ['Search by meaning', '/settings/search'],
  ['Policy', '/settings/policy'],
  ['Limits and budget', '/settings/limits'],
  ['API keys', '/keys'],
  ['Webhooks', '/webhooks'],
] as const
