import { visiblePath } from '../../../api/frame/html/visible.ts'
import { html } from 'hono/html'
import type { Job } from '../../../features/agent/jobs.ts'
import type { TurnProgress } from '../../../features/agent/tools/turn-progress.ts'
import type { Waiting } from '../../../features/agent/turns.ts'
import type { Html } from '../../../api/frame/html/html.ts'
import { icon } from '../../../api/frame/html/icons.ts'
import { counts } from '../../../api/frame/html/diff.ts'
import { ago } from '../../../api/frame/html/parts.ts'
import { timeText } from './conversation.ts'

const waitingFor = { host: 'the git host', model: 'the model', machine: 'this server' }
interface Watched {
  progress: TurnProgress
  waiting: Waiting | undefined
  now: Date
}

/** What the agent does now, or what it waits for. */
export function progressCard({ progress, waiting, now }: Watched): Html {
  const { startedAt } = progress
  return html`<section class="card now" id="now" aria-label="Now">
    <p class="doing">
      ${icon(waiting || progress.ahead !== undefined ? 'clock' : 'working')}
      <strong>${waiting ? html`Waiting for ${waitingFor[waiting.for]}` : progress.now}</strong>
      ${startedAt === undefined ? '' : html`<span class="muted elapsed" data-elapsed="${now.getTime() - startedAt.getTime()}">${timeText(now.getTime() - startedAt.getTime())}</span>`}
    </p>
    ${waiting ? html`<p class="notice warning">Next try ${ago(waiting.until, now)}. ${waiting.message}</p>` : ''}
    ${progress.ahead === undefined || waiting ? '' : html`<p class="muted">${queueText(progress.ahead)}</p>`}
    <noscript
      ><p><a class="button" href="">Refresh</a></p></noscript
    >
  </section>`
}

function queueText(ahead: number): string {
  if (ahead === 0) return 'Next in the queue. Starts when a worker is free.'
  return `${ahead} ${ahead === 1 ? 'job is' : 'jobs are'} ahead in the queue.`
}

const mostFiles = 12

/** What it has used and changed so far, beside what happens. */
export function soFar({ changes }: Job, progress: TurnProgress, details: Html): Html {
  const more = changes.length - mostFiles
  return html`<aside class="side" aria-label="So far" id="so-far">
    ${
      progress.startedAt === undefined
        ? ''
        : html`<section>
            <h2>Used</h2>
            ${bars(progress)}
          </section>`
    }
    ${
      changes.length === 0
        ? ''
        : html`<section>
            <h2>Changes so far</h2>
            <ul class="plain">
              ${changes.slice(0, mostFiles).map(({ path, additions, deletions }) => html`<li><a class="path" href="#changes">${visiblePath(path)}</a> ${counts(additions, deletions)}</li>`)}
              ${more > 0 ? html`<li class="muted">and ${more} more</li>` : ''}
            </ul>
          </section>`
    }
    ${details}
  </aside>`
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
