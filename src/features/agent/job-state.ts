export type JobStatus = 'active' | 'completed' | 'archived' | 'failed'

/**
 * Where a job stands, for people: what it does or waits for while it is active, then what became of its pull
 * request, or what it came to without one.
 */
export const jobStates = [
  'queued',
  'working',
  'waiting',
  'needs_input',
  'open',
  'merged',
  'closed',
  'completed',
  'no_change',
  'not_understood',
  'nothing_done',
  'failed',
  'cancelled',
  'archived',
] as const

export type JobState = (typeof jobStates)[number]

/** What people read for each state. */
export const stateWords: Readonly<Record<JobState, string>> = {
  queued: 'Queued',
  working: 'Running',
  waiting: 'Waiting',
  needs_input: 'Needs input',
  open: 'Open',
  merged: 'Merged',
  closed: 'Closed',
  completed: 'Completed',
  no_change: 'No change',
  not_understood: 'Not understood',
  nothing_done: 'Nothing done',
  failed: 'Failed',
  cancelled: 'Cancelled',
  archived: 'Archived',
}
