import { AppError } from '../../../lib/errors.ts'
import { TurnFailure } from '../turns/turn-failure.ts'
import type { StartedTurn, TurnRun } from '../turns/turn-run.ts'

/** Why a push was refused, and what to do about it. @param said the repository's own words */
export function pushFailure(said: string): TurnFailure {
  const kept = 'The changes are kept: send a message to try again'
  if (/protected branch|GH006|push to protected|branch protection|GH013|rule violations/i.test(said))
    return new TurnFailure(
      'branch_protected',
      `${said}. A rule of the host protects the branches of jobs: let Docwright push to docwright/*. ${kept}`,
    )
  if (/\barchived\b/i.test(said))
    return new TurnFailure('repository', `${said}. The repository is archived: unarchive it there. ${kept}`)
  if (/hook declined|not allowed|denied|permission/i.test(said))
    return new TurnFailure(
      'push_refused',
      `${said}. A rule of the host or a missing permission is in the way: change it there. ${kept}`,
    )
  return new TurnFailure('push_refused', said)
}

/**
 * What a host's refusal to open or change a pull request means for the turn: its branch is pushed already.
 * @throws TurnFailure that says what to do, or the error itself when it may pass
 */
export function explainRefusal({ signal }: TurnRun, { branch }: StartedTurn, error: unknown): never {
  if (!(error instanceof AppError) || error.code === 'unavailable' || error.code === 'internal') throw error
  signal.throwIfAborted()
  const pushed = `The changes are on the branch ${branch}: send a message to try again`
  if (error.code === 'conflict')
    throw new TurnFailure(
      'nothing_to_merge',
      `${error.message}. No pull request was opened: the same changes came in otherwise`,
      { cause: error },
    )
  if (/\barchived\b/i.test(error.message))
    throw new TurnFailure('repository', `${error.message}. ${pushed}, once it is unarchived`, {
      cause: error,
    })
  const code =
    error.code === 'unauthorized' || error.code === 'forbidden' ? 'permission_missing' : 'host_refused'
  throw new TurnFailure(code, `${error.message}. ${pushed}`, { cause: error })
}
