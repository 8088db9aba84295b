import { html } from 'hono/html'
import type { JobEvent } from '../../../../features/agent/events.ts'
import type { TurnProgress } from '../../../../features/agent/tools/turn-progress.ts'
import type { Waiting } from '../../../../features/agent/turns.ts'
import type { Html } from '../../../frame/html/html.ts'
import { icon } from '../../../frame/html/icons.ts'
import { ago } from '../../../frame/html/parts.ts'
import { timeText } from './conversation.ts'
import { logLines } from './turn-log.ts'

const waitingFor = { host: 'the git host', model: 'the model', machine: 'this server' }
const shownSteps = 4

interface Watched {
  progress: TurnProgress
  waiting: Waiting | undefined
  events: readonly JobEvent[]
  now: Date
}

/** What the agent does now, or what it waits for, with what it has used so far. */
export function progressCard({ progress, waiting, events, now }: Watched): Html {
  const own = events.filter(({ turn, type }) => turn === progress.turn && type !== 'turn.queued')
  const { startedAt } = progress
  return html`<section class="card now" id="now" aria-label="Now">
    <p class="doing">
      ${icon(waiting || progress.ahead !== undefined ? 'clock' : 'working')}
      <strong>${waiting ? html`Waiting for ${waitingFor[waiting.for]}` : progress.now}</strong>
      ${startedAt === undefined ? '' : html`<span class="muted elapsed" data-elapsed="${now.getTime() - startedAt.getTime()}">${timeText(now.getTime() - startedAt.getTime())}</span>`}
    </p>
    ${waiting ? html`<p class="notice warning">Next try ${ago(waiting.until, now)}. ${waiting.message}</p>` : ''}
    ${progress.ahead === undefined || waiting ? '' : html`<p class="muted">${queueText(progress.ahead)}</p>`}
    ${logLines(own.slice(-shownSteps))} ${bars(progress)}
    <noscript
      ><p><a class="button" href="">Refresh</a></p></noscript
    >
  </section>`
}

function queueText(ahead: number): string {
  if (ahead === 0) return 'Next in the queue. Starts when a worker is free.'
  return `${ahead} ${ahead === 1 ? 'job is' : 'jobs are'} ahead in the queue.`
}

function bars({ used, budget, startedAt }: TurnProgress): Html {
  if (startedAt === undefined) return html``
  const number = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 0 })
  const dollars = (value: number): string => `$${(value / 1e6).toFixed(value < 10_000 ? 4 : 2)}`
  return html`<dl class="budget">
    ${bar('Model calls', used.steps, budget.steps, number)}
    ${bar('Tokens', used.tokens, budget.tokens, number)}
    ${used.cost === undefined ? '' : bar('Cost', used.cost, budget.cost, dollars)}
    ${bar('Run time', used.work, budget.work, timeText)}
  </dl>`
}

function bar(label: string, value: number, most: number, show: (value: number) => string): Html {
  const has = Number.isFinite(most) && most > 0
  return html`<div>
    <dt>${label}</dt>
    <dd>
      ${show(value)}${has ? html` <span class="muted">of ${show(most)}</span>` : html`<span class="muted">, no limit</span>`}
      ${has ? html`<progress max="${most}" value="${Math.min(value, most)}" aria-label="${label} used"></progress>` : ''}
    </dd>
  </div>`
}
