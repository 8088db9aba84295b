import { ownCommand } from '../lib/own-command.ts'
import { stateText, type Text } from './terminal-text.ts'

/** What somebody reads who has a job made out of something else. */
export function newJobLines({ id, status }: { id: string; status: string }): Text[][] {
  return [[`${id}  `, stateText(status)], [`See it with: ${ownCommand} job show ${id}`]]
}

/** Nothing went wrong: somebody has ended it. Older servers do not say so in `state`. */
export function isCancelled({
  status,
  failure,
}: {
  status: string
  failure?: { code?: string | null | undefined } | null | undefined
}): boolean {
  return status === 'failed' && failure?.code === 'cancelled'
}
