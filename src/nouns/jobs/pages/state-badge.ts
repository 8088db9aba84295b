import { html } from 'hono/html'
import type { JobEvent } from '../../../features/agent/events.ts'
import { stateWords, type JobState } from '../../../features/agent/job-state.ts'
import type { Turn } from '../../../features/agent/turns.ts'
import type { Html } from '../../../api/frame/html/html.ts'
import { icon, type IconName } from '../../../api/frame/html/icons.ts'
import { sentence, withCapital } from '../../../api/frame/html/parts.ts'

interface Look {
  tone: 'busy' | 'info' | 'good' | 'bad' | 'done' | ''
  icon: IconName
}

/** The icon and the colour of each state, of which the word alone is enough. */
const looks: Readonly<Record<JobState, Look>> = {
  queued: { tone: 'info', icon: 'clock' },
  working: { tone: 'info', icon: 'working' },
  waiting: { tone: 'info', icon: 'clock' },
  needs_input: { tone: 'busy', icon: 'question' },
  open: { tone: 'good', icon: 'open' },
  merged: { tone: 'done', icon: 'merged' },
  closed: { tone: '', icon: 'closed' },
  completed: { tone: 'good', icon: 'done' },
  no_change: { tone: '', icon: 'nothing' },
  not_understood: { tone: 'bad', icon: 'unclear' },
  nothing_done: { tone: 'bad', icon: 'nothing' },
  failed: { tone: 'bad', icon: 'failed' },
  cancelled: { tone: '', icon: 'failed' },
  archived: { tone: '', icon: 'archived' },
}

export function stateBadge(state: JobState): Html {
  return badge(stateWords[state], looks[state])
}

/**
 * Why work ended without what was asked for.
 * @param events of the job or the turn: they tell who cancelled it
 */
export function failureText(
  { code, message }: NonNullable<Turn['failure']>,
  events: readonly JobEvent[],
): string {
  if (code !== 'cancelled') return sentence(message)
  const by = events.findLast(({ type }) => type === 'cancelled')?.data['by']
  return `${typeof by === 'string' ? by : 'Someone'} cancelled this job.`
}

/** What became of one prompt. */
export function turnBadge(
  { status, outcome, notUnderstood, failure }: Pick<Turn, 'status' | 'outcome' | 'notUnderstood' | 'failure'>,
  isWaiting: boolean,
): Html {
  if (status === 'running' || status === 'queued')
    return stateBadge(isWaiting ? 'waiting' : status === 'running' ? 'working' : 'queued')
  if (status === 'cancelled' || failure?.code === 'cancelled') return stateBadge('cancelled')
  if (status === 'failed' || outcome === 'failed') return stateBadge('failed')
  if (outcome === undefined || outcome === 'changed')
    return badge(outcome ?? 'done', { tone: 'good', icon: 'done' })
  return stateBadge(notUnderstood ? 'not_understood' : outcome)
}

function badge(word: string, { tone, icon: name }: Look): Html {
  return html`<span class="badge with-icon ${tone}">${icon(name)}${withCapital(word)}</span>`
}
