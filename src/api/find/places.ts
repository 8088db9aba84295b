import type { Caller } from '../../features/projects/allow.ts'
import type { Project } from '../../features/projects/projects.ts'
import type { findKinds } from '../../nouns/server/answers.ts'
import { mayGo } from '../addresses.ts'

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

/** What there is for each project. */
const ofProject: readonly Place[] = [
  ['action', 'Start job', '/projects/{domain}/jobs/new'],
  ['action', 'Sync now', '/projects/{domain}/sync'],
  ['action', 'Create an API key', '/projects/{domain}/keys'],
  ['action', 'Add the assistant to your site', '/projects/{domain}/widget'],
  ['place', 'Jobs', '/projects/{domain}/jobs'],
  ['place', 'Pull requests', '/projects/{domain}/pulls'],
  ['place', 'Problems', '/projects/{domain}/problems'],
  ['place', 'Assistant: overview', '/projects/{domain}/assistant'],
  ['place', 'Assistant: playground', '/projects/{domain}/assistant/playground'],
  ['place', 'Assistant: conversations', '/projects/{domain}/assistant/conversations'],
  ['place', 'Assistant: gaps', '/projects/{domain}/assistant/gaps'],
  ['place', 'Assistant: answers', '/projects/{domain}/assistant/answers'],
  ['place', 'Assistant: searches', '/projects/{domain}/assistant/searches'],
  ['place', 'Assistant: usage', '/projects/{domain}/assistant/use'],
  ['place', 'Settings: General', '/projects/{domain}/settings'],
  ['place', 'Settings: Git host', '/projects/{domain}/settings/host'],
  ['place', 'Settings: Agent', '/projects/{domain}/settings/agent'],
  ['place', 'Settings: Assistant', '/projects/{domain}/settings/assistant'],
  ['place', 'Settings: Semantic search', '/projects/{domain}/settings/search'],
  ['place', 'Settings: Policy', '/projects/{domain}/settings/policy'],
  ['place', 'Settings: Limits and budget', '/projects/{domain}/settings/limits'],
  ['place', 'Settings: API keys', '/projects/{domain}/keys'],
  ['place', 'Settings: Webhooks', '/projects/{domain}/webhooks'],
  ['place', 'Settings: Widget', '/projects/{domain}/widget'],
  ['place', 'Documentation', '/docs/{domain}/'],
]

const ofServer: readonly Place[] = [
  ['action', 'Add project', '/add-project'],
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
 * Pages of the dashboard and what can be done on each that hold all the words, for everybody and for each project, as
 * far as a person may.
 * @param projects those that come first of equal ones first
 * @param asked.shown the organization that pages outside of projects are about
 * @param asked.words in lower case
 * @param asked.most of how many projects the same page is named, as they fit equally well
 */
export function places(
  caller: Caller,
  projects: readonly Pick<Project, 'domain' | 'location' | 'organizationId'>[],
  { shown, words, most }: { shown: string | undefined; words: readonly string[]; most: number },
): Found[] {
  const may = rememberMayGo(caller)
  const matches: Found[] = []
  const counts = new Map<Place, number>()
  for (const { domain, organizationId } of projects) {
    const others = words.filter((word) => !domain.includes(word))
    for (const one of ofProject) {
      const count = counts.get(one) ?? 0
      if (count === most || !holds(one[1], others) || !may(one, organizationId)) continue
      counts.set(one, count + 1)
      matches.push(place(one, domain))
    }
  }
  const elsewhere = ofServer.filter((one) => holds(`${one[1]} Docwright`, words) && may(one, shown))
  matches.push(...elsewhere.map((one) => place(one)))
  for (const { domain, location } of projects)
    if (holds(`${domain} ${location}`, words))
      matches.push({ kind: 'project', title: domain, detail: location, url: `/projects/${domain}` })
  return matches
}

function holds(text: string, words: readonly string[]): boolean {
  if (words.length === 0) return true
  const lower = text.toLowerCase()
  return words.every((word) => lower.includes(word))
}

/** Asks once for all projects of an organization. */
function rememberMayGo(caller: Caller): (one: Place, organizationId: string | undefined) => boolean {
  const known = new Map<string, boolean>()
  return ([, title, path], organizationId) => {
    const key = `${organizationId} ${title}`
    const may = known.get(key) ?? mayGo(caller, forms.has(title) ? 'post' : 'get', path, organizationId)
    known.set(key, may)
    return may
  }
}

/** @param domain undefined: it is a page of the server */
function place([kind, title, path]: Place, domain?: string): Found {
  const url = domain === undefined ? path : path.replace('{domain}', domain)
  return {
    kind,
    title,
    detail: domain ?? 'Docwright',
    url,
    ...(forms.has(title) && { isForm: true as const }),
  }
}
