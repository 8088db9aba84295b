import type { ChangeRequest } from '../../../integrations/forges/forge.ts'
import type { MaterialColumn } from '../../../store/tables.ts'
import type { NewEvent } from '../events.ts'

/** What people are told of what a turn begins with. */
export function beginnings(
  material: MaterialColumn | undefined,
  base: string,
  baseCommit: string,
): NewEvent[] {
  const { merge, carried } = material ?? {}
  const events: NewEvent[] = []
  if (merge) {
    const conflicts = merge.conflicts.map(({ path }) => path).slice(0, 50)
    const message =
      merge.state === 'refused'
        ? `${base} has moved and could not be merged in: a person has to`
        : conflicts.length === 0
          ? `${base} has moved and was merged in`
          : `${base} has moved and was merged in, with conflicts for the agent to resolve`
    events.push({ type: 'base.merged', data: { base, baseCommit, state: merge.state, conflicts, message } })
  }
  if (carried) {
    const message = `Turn ${carried.turn} ended early: its changes are taken over`
    events.push({
      type: 'work.carried',
      data: { from: carried.turn, files: carried.paths.slice(0, 50), message },
    })
  }
  return events
}

/** Of a pull request that the forge knows otherwise than this job has recorded it. */
export function noticed(
  before: ChangeRequest['state'] | undefined,
  now: ChangeRequest,
): NewEvent | undefined {
  if (before === now.state) return undefined
  const kind = now.state === 'open' ? 'opened' : now.state
  return { type: `pull_request.${kind}`, data: { number: now.number, link: now.link } }
}
