import { html } from 'hono/html'
import type { JobEvent } from '../../../../features/agent/events.ts'
import type { JobState } from '../../../../features/agent/job-state.ts'
import type { Turn } from '../../../../features/agent/turns.ts'
import type { Html } from '../../html/html.ts'
import { sentence } from '../../html/parts.ts'
import { icon, type IconName } from '../../html/icons.ts'

interface Shown {
  /** What people read. */
  word: string
  tone: 'busy' | 'good' | 'bad' | 'done' | ''
  icon: IconName
}

/** Each state by a word, an icon and a colour, of which the word alone is enough. */
const shownStates: Readonly<Record<JobState, Shown>> = {
  queued: { word: 'in the queue', tone: 'busy', icon: 'clock' },
  working: { word: 'working', tone: 'busy', icon: 'working' },
  waiting: { word: 'waiting', tone: 'busy', icon: 'clock' },
  needs_input: { word: 'needs input', tone: 'busy', icon: 'question' },
  open: { word: 'to review', tone: 'good', icon: 'open' },
  merged: { word: 'merged', tone: 'done', icon: 'merged' },
  closed: { word: 'closed', tone: '', icon: 'closed' },
  completed: { word: 'completed', tone: 'good', icon: 'done' },
  no_change: { word: 'no change', tone: '', icon: 'nothing' },
  not_understood: { word: 'not understood', tone: 'bad', icon: 'unclear' },
  nothing_done: { word: 'nothing done', tone: 'bad', icon: 'nothing' },
  failed: { word: 'failed', tone: 'bad', icon: 'failed' },
  cancelled: { word: 'cancelled', tone: '', icon: 'failed' },
  archived: { word: 'archived', tone: '', icon: 'archived' },
}

export function stateWord(state: JobState): string {
  return shownStates[state].word
}

export function stateBadge(state: JobState): Html {
  return shown(shownStates[state])
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
  return `${typeof by === 'string' ? by : 'Somebody'} cancelled this.`
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
    return shown({ word: outcome ?? 'done', tone: 'good', icon: 'done' })
  return stateBadge(notUnderstood ? 'not_understood' : outcome)
}

function shown({ word, tone, icon: name }: Shown): Html {
  return html`<span class="badge with-icon ${tone}">${icon(name)}${word}</span>`
}
