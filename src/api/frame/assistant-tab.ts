import { html } from 'hono/html'
import type { Project } from '../../features/projects/projects.ts'
import type { RequestContext, Visitor } from '../endpoint.ts'
import type { AssetName } from './assets/assets.ts'
import type { Html } from './html/html.ts'
import { mayOpen } from './html/may-press.ts'
import { partsNav } from './html/inside.ts'
import { show } from './html/respond.ts'

const parts = [
  ['', 'Overview'],
  ['/playground', 'Playground'],
  ['/conversations', 'Conversations'],
  ['/gaps', 'Gaps'],
  ['/answers', 'Answers'],
  ['/searches', 'Searches'],
  ['/use', 'Usage'],
] as const

type Part = (typeof parts)[number][0]

export function baseOf({ domain }: Pick<Project, 'domain'>): string {
  return `/projects/${domain}/assistant`
}

interface Shown {
  context: RequestContext
  session: Visitor
  project: Project
  part: Part
  title: string
  scripts?: readonly AssetName[]
}

/** Sends a page below the tab of the assistant. */
export function showAssistant(
  { context, session, project, part, title, scripts }: Shown,
  body: Html,
): Promise<Response> {
  const inside = parts
    .map(([path, title]) => ({ href: `${baseOf(project)}${path}`, title, isCurrent: path === part }))
    .filter(({ href }) => mayOpen(session, href))
  const page = html`${partsNav('Assistant', inside)} ${body}`
  return show(
    context,
    { title, session, project, tab: 'assistant', inside, styles: ['assistant.css'], scripts },
    page,
  )
}
