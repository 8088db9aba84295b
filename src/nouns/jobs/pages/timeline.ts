import { html } from 'hono/html'
import type { JobEvent } from '../../../features/agent/events.ts'
import type { Html } from '../../../api/frame/html/html.ts'
import { icon } from '../../../api/frame/html/icons.ts'
import { counted } from '../../../lib/text/counted.ts'
import { logLines, sayEvent } from './turn-log.ts'

type Kind = 'start' | 'look' | 'change' | 'check' | 'publish' | 'wait' | 'bad' | 'other'

/** What follows each other and is of one kind. */
interface Group {
  kind: Kind
  events: JobEvent[]
}

const ofTools: Readonly<Record<string, Kind>> = {
  ...Object.fromEntries(
    'read_file list_files list_pages grep search_docs history show_commit diff fetch_url'
      .split(' ')
      .map((tool) => [tool, 'look' as const]),
  ),
  check: 'check',
  finish: 'other',
  plan: 'other',
  ask_person: 'other',
}
const ofEvents: Partial<Record<JobEvent['type'], Kind>> = {
  'turn.started': 'start',
  fetching: 'start',
  'base.renamed': 'start',
  'base.merged': 'start',
  'work.carried': 'start',
  'file.changed': 'change',
  checks: 'check',
  pushing: 'publish',
  published: 'publish',
  'pull_request.opened': 'publish',
  'pull_request.updated': 'publish',
  'turn.waiting': 'wait',
  attention: 'bad',
  'turn.failed': 'bad',
}
const icons = {
  start: 'open',
  look: 'search',
  change: 'edit',
  check: 'check',
  publish: 'merged',
  wait: 'clock',
  bad: 'problem',
  other: 'list',
} as const

/** Groups that are shown; those before are in the log of the conversation. */
const mostGroups = 12
const mostLines = 40
const mostNames = 3

/** What a turn has done so far, step by step, with steps of one kind as one. */
export function timeline(events: readonly JobEvent[]): Html {
  const groups = groupsOf(events)
  if (groups.length === 0) return html``
  const newest = groups.slice(-mostGroups)
  return html`<section class="happened">
    <h2>What happened</h2>
    <ol class="timeline">
      ${groups.length > newest.length ? html`<li class="muted"><span></span>Earlier steps are in the log of the conversation.</li>` : ''}
      ${newest.map(entry)}
    </ol>
  </section>`
}

function groupsOf(events: readonly JobEvent[]): Group[] {
  const groups: Group[] = []
  for (const event of events) {
    // A call of the model belongs to what it leads to; what the model says is a step of its own.
    if (event.type === 'turn.queued') continue
    if (event.type === 'step' && typeof event.data['text'] !== 'string') continue
    const kind = kindOf(event)
    const last = groups.at(-1)
    if (last?.kind === kind && kind !== 'other' && kind !== 'bad') last.events.push(event)
    else groups.push({ kind, events: [event] })
  }
  return groups
}

function kindOf({ type, data }: JobEvent): Kind {
  return type === 'tool' ? (ofTools[String(data['tool'])] ?? 'change') : (ofEvents[type] ?? 'other')
}

function entry({ kind, events }: Group): Html {
  const [first] = events
  if (!first) return html``
  const time = first.createdAt.toISOString()
  return html`<li id="step-${first.n}">
    <span class="dot ${kind}">${icon(icons[kind])}</span>
    <div>
      <span class="what">${headline(kind, events)}</span>
      ${
        events.length === 1
          ? ''
          : html`<details data-key="steps ${first.n}">
              <summary>${counted(events.length, 'step')}</summary>
              ${logLines(events.slice(-mostLines))}
            </details>`
      }
    </div>
    <time datetime="${time}">${time.slice(11, 16)}</time>
  </li>`
}

/** A group in one line. Its texts are untrusted. */
function headline(kind: Kind, events: readonly JobEvent[]): Html {
  const last = events.at(-1)
  if (!last) return html``
  if (kind === 'look') {
    const read = events.filter(({ data }) => data['tool'] === 'read_file')
    const pages = new Set(read.map(({ data }) => String(data['description'])))
    const others = events.length - read.length
    const parts = [
      ...(others === 0 ? [] : [`searched ${others === 1 ? 'once' : `${others} times`}`]),
      ...(pages.size === 0 ? [] : [`read ${counted(pages.size, 'file')}`]),
    ]
    return html`${upperFirst(parts.join(', '))}`
  }
  if (kind === 'change') {
    const paths = [
      ...new Set(events.flatMap(({ type, data }) => (type === 'file.changed' ? [String(data['path'])] : []))),
    ]
    if (paths.length === 0) return html`${sayEvent(last).text}`
    const more = paths.length - mostNames
    return html`Changed
    ${paths.slice(0, mostNames).map((path, index) => html`${index === 0 ? '' : ', '}<code>${path}</code>`)}${more > 0 ? ` and ${more} more` : ''}`
  }
  return html`${sayEvent(last).text}`
}

function upperFirst(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
