import { html } from 'hono/html'
import type { JobEvent } from '../../../features/agent/events.ts'
import type { TurnRemark } from '../../../features/agent/turn-remarks.ts'
import type { Turn } from '../../../features/agent/turns.ts'
import type { Html } from '../../../api/frame/html/html.ts'
import { ago } from '../../../api/frame/html/parts.ts'
import type { ReadMarkdown } from '../../../api/render/markdown/read-markdown.ts'
import { renderMarkdown } from '../../../api/render/markdown/render-markdown.ts'
import { promptView } from '../../changes/prompt-view.ts'
import { agentAvatar, askerName, avatar } from './asker.ts'
import { failureText, turnBadge } from './state-badge.ts'
import { turnLog } from './turn-log.ts'

interface Said {
  turns: readonly Turn[]
  events: readonly JobEvent[]
  remarks: ReadonlyMap<number, TurnRemark>
  /** Why the job failed, which the page says above. */
  failure: string | undefined
  /** What the browser shows already, by name. */
  shown: ReadonlySet<string> | undefined
}

/** Each prompt with who asked, and what the agent answered. */
export function conversation(
  { read, projectId, now }: { read: ReadMarkdown; projectId: string; now: Date },
  { turns, events, remarks, failure, shown }: Said,
): Html {
  return html`<ol class="turns">
    ${turns.map((turn) => {
      const { author, waiting } = remarks.get(turn.n) ?? {}
      const by =
        turn.askedBy ?? (author === undefined ? undefined : { kind: 'comment' as const, name: author })
      const own = events.filter((event) => event.turn === turn.n)
      const isWaiting = waiting !== undefined && waiting.until > now
      return html`<li class="turn" id="turn-${turn.n}">
        <div class="message">
          ${avatar(by)}
          <div>
            <p class="meta">
              <span>${askerName(by)}</span>
              <span class="muted"
                >${turn.n === 1 ? 'Prompt' : `Follow-up ${turn.n - 1}`}, ${ago(turn.createdAt, now)}</span
              >
            </p>
            ${promptView(read, projectId, turn.prompt)}
          </div>
        </div>
        <div class="message">
          ${agentAvatar()}
          <div>
            <p class="meta">
              <strong>Docwright</strong> ${turnBadge(turn, isWaiting)}
              <span class="muted">${duration(turn)}</span>
            </p>
            ${turn.summary === undefined ? '' : html`<div class="prose summary">${renderMarkdown(read, projectId, turn.summary)}</div>`}
            ${turn.failure && turn.failure.message !== failure ? html`<p class="failure">${failureText(turn.failure, own)}</p>` : ''}
            ${turnLog(turn.n, own, shown)}
          </div>
        </div>
      </li>`
    })}
  </ol>`
}

function duration({ startedAt, finishedAt }: Turn): string {
  if (!startedAt || !finishedAt) return ''
  return `took ${timeText(finishedAt.getTime() - startedAt.getTime())}`
}

export function timeText(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 100) / 10)
  if (seconds < 60) return `${seconds < 10 ? seconds : Math.round(seconds)} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? `${minutes} min ${Math.floor(seconds % 60)} s`
    : `${Math.floor(minutes / 60)} h${minutes % 60 === 0 ? '' : ` ${minutes % 60} min`}`
}
