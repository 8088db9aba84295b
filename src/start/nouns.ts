import type { Endpoint } from '../api/endpoint.ts'
import type { Pages } from '../api/frame/pages.ts'
import { older } from '../api/older/older.ts'
import { tools } from '../api/mcp/tools.ts'
import { apps } from '../nouns/apps/noun.ts'
import { assistant } from '../nouns/assistant/noun.ts'
import { audit } from '../nouns/audit/noun.ts'
import { chats } from '../nouns/chats/noun.ts'
import { automations } from '../nouns/automations/noun.ts'
import { changes } from '../nouns/changes/noun.ts'
import { connections } from '../nouns/connections/noun.ts'
import { gaps } from '../nouns/gaps/noun.ts'
import { impact } from '../nouns/impact/noun.ts'
import { insights } from '../nouns/insights/noun.ts'
import { jobs } from '../nouns/jobs/noun.ts'
import { keys } from '../nouns/keys/noun.ts'
import { people } from '../nouns/people/noun.ts'
import { pinnedAnswers } from '../nouns/pinned-answers/noun.ts'
import { problems } from '../nouns/problems/noun.ts'
import { projects } from '../nouns/projects/noun.ts'
import { pulls } from '../nouns/pulls/noun.ts'
import { reviews } from '../nouns/reviews/noun.ts'
import { server } from '../nouns/server/noun.ts'
import { settings } from '../nouns/settings/noun.ts'
import { usage } from '../nouns/usage/noun.ts'
import { webhooks } from '../nouns/webhooks/noun.ts'

/** What the product has: each noun brings its endpoints and its pages, as functions of the ports that it needs. */
const nouns = [
  projects,
  connections,
  usage,
  keys,
  webhooks,
  chats,
  settings,
  people,
  apps,
  audit,
  assistant,
  gaps,
  pinnedAnswers,
  impact,
  automations,
  insights,
  jobs,
  pulls,
  reviews,
  changes,
  older,
  tools,
  problems,
  server,
] as const

type Noun = (typeof nouns)[number]
type EndpointMaker = Noun['endpoints'][number]
type PageMaker = Noun['pages'][number]

/** What all nouns need together for their endpoints. */
type EndpointPorts = [EndpointMaker] extends [(ports: infer P) => unknown] ? P : never

/** What they need for their pages. */
type PagePorts = [PageMaker] extends [(pages: Pages, ports: infer P) => unknown] ? P : never

export function nounEndpoints(ports: EndpointPorts): Endpoint[] {
  return nouns.flatMap<EndpointMaker>(({ endpoints }) => endpoints).flatMap((make) => make(ports))
}

export function nounPages(pages: Pages, ports: PagePorts): Endpoint[] {
  return nouns.flatMap<PageMaker>((noun) => noun.pages).flatMap((make) => make(pages, ports))
}
