import { html } from 'hono/html'
import type { JobEvent } from '../../../../features/agent/events.ts'
import type { TurnRemark } from '../../../../features/agent/turns/turn-remarks.ts'
import type { Turn } from '../../../../features/agent/turns/turns.ts'
import type { ReadMarkdown } from '../../../docs/read-markdown.ts'
import { renderMarkdown } from '../../../docs/render-markdown.ts'
import { ago, badge } from '../../html/parts.ts'
import type { Html } from '../../html/html.ts'

/** Each prompt with what came of it and how it went. */
export function turnList(
  { read, projectId }: { read: ReadMarkdown; projectId: string },
  turns: Turn[],
  { events, remarks }: { events: JobEvent[]; remarks: ReadonlyMap<number, TurnRemark> },
  now: Date,
): Html {
  return html`<ol class="turns">
    ${turns.map((turn) => {
      const { author, waiting } = remarks.get(turn.n) ?? {}
      const own = events.filter((event) => event.turn === turn.n)
      return html`<li class="turn">
        <p class="meta">
          <strong>${turn.n === 1 ? 'Prompt' : `Follow-up ${turn.n - 1}`}</strong> ${badge(turn.status)}
          <span class="muted">${ago(turn.createdAt, now)}${duration(turn)}</span>
          ${author === undefined ? '' : html`<span>asked by <strong>${author}</strong> in a comment on the pull request</span>`}
        </p>
        ${waiting === undefined || waiting.until <= now ? '' : html`<p class="notice warning"><strong>Waiting for the git host</strong>, next try ${ago(waiting.until, now)}. ${waiting.message}</p>`}
        <blockquote class="prompt">${turn.prompt}</blockquote>
        ${turn.summary === undefined ? '' : html`<div class="prose summary">${renderMarkdown(read, projectId, turn.summary)}</div>`}
        ${turn.failure ? html`<p class="failure">${turn.failure.message}</p>` : ''}
        ${own.length === 0 ? '' : timeline(turn, own)}
      </li>`
    })}
  </ol>`
}

function duration({ startedAt, finishedAt }: Turn): string {
  if (!startedAt || !finishedAt) return ''
  const seconds = Math.round((finishedAt.getTime() - startedAt.getTime()) / 100) / 10
  return seconds < 60
    ? `, took ${seconds} s`
    : `, took ${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
}

function timeline(turn: Turn, events: JobEvent[]): Html {
  return html`<details class="events" data-key="events ${turn.n}">
    <summary>${events.length} ${events.length === 1 ? 'event' : 'events'}</summary>
    <ol>
      ${events.map(
        ({ type, data, createdAt }) =>
          html`<li>
            <time datetime="${createdAt.toISOString()}">${createdAt.toISOString().slice(11, 19)}</time>
            <span class="type">${type.replaceAll(/[._]/g, ' ')}</span>
            <span class="data">${describe(data)}</span>
          </li>`,
      )}
    </ol>
  </details>`
}

const told = ['message', 'tool', 'path', 'title', 'summary', 'commit', 'branch', 'link', 'number'] as const

/** The fields that say something to a person, in one line. */
function describe(data: Record<string, unknown>): string {
  const parts = told.flatMap((name) => {
    const value = data[name]
    if (typeof value !== 'string' && typeof value !== 'number') return []
    const text = String(value).replaceAll(/\s+/g, ' ')
    return name === 'link' ? [text.replace(/\?.*/s, '')] : [text]
  })
  const line = parts.join(' · ')
  return line.length > 300 ? `${line.slice(0, 300)}…` : line
}
