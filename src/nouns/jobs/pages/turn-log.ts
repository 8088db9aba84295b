import { html } from 'hono/html'
import { describeEvent } from '../../../features/agent/describe-event.ts'
import type { JobEvent } from '../../../features/agent/events.ts'
import { counted } from '../../../lib/text/counted.ts'
import type { Html } from '../../../api/frame/html/html.ts'

/** Lines of a log that come as one. */
const together = 50

/**
 * The steps of a turn so far, folded.
 * @param shown what the browser shows already, by name
 */
export function turnLog(
  turn: number,
  events: readonly JobEvent[],
  shown: ReadonlySet<string> | undefined,
): Html {
  if (events.length === 0) return html``
  // What has happened does not change: only the last lines of a long log are others than before.
  const parts = Map.groupBy(events, ({ n }) => Math.floor(n / together))
  return html`<details class="events" data-key="events ${turn}">
    <summary>${summaryOf(events)}</summary>
    ${[...parts].map(([part, own]) => {
      const [id, name] = [`log-${turn}-${part}`, `log-${turn}-${own[0]?.n}-${own.at(-1)?.n}`]
      return shown?.has(name) === true
        ? html`<div id="${id}" data-same></div>`
        : html`<div id="${id}" data-shown="${name}">${logLines(own)}</div>`
    })}
  </details>`
}

export function logLines(events: readonly JobEvent[]): Html {
  return html`<ol class="log">
    ${events.map((event) => {
      const time = event.createdAt.toISOString()
      const { text, tone } = sayEvent(event)
      return html`<li class="${tone}">
        <time datetime="${time}">${time.slice(11, 19)}</time> <span>${text}</span>
      </li>`
    })}
  </ol>`
}

function summaryOf(events: readonly JobEvent[]): string {
  const calls = events.filter(({ type }) => type === 'step').length
  const tools = events.filter(({ type }) => type === 'tool').length
  return calls === 0
    ? counted(events.length, 'event')
    : `${counted(calls, 'model call')}, ${counted(tools, 'tool call')}`
}

/** Words for the events that people see most; the others are called by their type. */
const words: Partial<Record<JobEvent['type'], string>> = {
  'turn.queued': 'Prompt received',
  'turn.started': 'Started',
  'turn.waiting': 'Waiting:',
  'file.changed': 'Changed',
  checks: 'Checked:',
  published: 'Published',
  'pull_request.opened': 'Opened pull request',
  'pull_request.updated': 'Updated pull request',
  'turn.completed': 'Done',
  'turn.failed': 'Failed',
  cancelled: '',
}

/** An event in words. Its texts are untrusted. */
export function sayEvent(event: JobEvent): { text: string; tone: 'bad' | 'quiet' | '' } {
  const { name, text } = describeEvent(event)
  const { data, type } = event
  if (type === 'tool') return { text, tone: data['ok'] === false ? 'bad' : '' }
  if (type === 'step') {
    const said = typeof data['text'] === 'string' ? `Model: ${data['text']}` : 'Asked the model'
    return { text: said, tone: 'quiet' }
  }
  const isBad = type === 'turn.failed' || type === 'cancelled' || type === 'attention'
  // Prompt and reason stand above.
  const rest = type === 'turn.queued' || type === 'turn.failed' ? '' : text
  return { text: `${words[type] ?? name} ${rest}`.trim(), tone: isBad ? 'bad' : 'quiet' }
}
