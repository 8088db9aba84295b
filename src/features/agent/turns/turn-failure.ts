import { describeBranchInTheWay } from '../../../integrations/git/branch-prefix.ts'
import type { ViolationColumn } from '../../../store/columns.ts'
import { describeViolation } from '../workspace/toolbox.ts'
import type { AppError } from '../../../lib/errors.ts'
import { counted } from '../../../lib/text/counted.ts'

/** The turn failed for good. The message is for the person who gave the prompt. */
export class TurnFailure extends Error {
  readonly code: string
  /** What is in the way of publishing the changes that the turn has left. */
  readonly files: ViolationColumn[] | undefined

  constructor(
    code: string,
    message: string,
    { files, ...options }: ErrorOptions & { files?: ViolationColumn[] | undefined } = {},
  ) {
    super(message, options)
    this.name = 'TurnFailure'
    this.code = code
    this.files = files
  }
}

/** The code of a failure for which a host, or git there, gave this reason. */
export function codeOfRefusal({ code, message }: AppError, otherwise: string): string {
  if (/\barchived\b/i.test(message)) return 'repository'
  return code === 'unauthorized' || code === 'forbidden' ? 'permission_missing' : otherwise
}

/** What a message names of them; the files have the others. */
const mostNamed = 3

/** The policy refuses the changes. */
export function notPublished(violations: readonly ViolationColumn[]): TurnFailure {
  const why = violations.slice(0, mostNamed).map(describeViolation).join('; ')
  const left = violations.length - mostNamed
  const others = left > 0 ? `; and ${counted(left, 'more place')}` : ''
  return new TurnFailure('policy', `Changes not published: ${why}${others}`, {
    files: violations.slice(0, 200),
  })
}

/** A branch of the repository keeps git from making the job's. */
export function branchInTheWay(prefix: string, blocking: string): TurnFailure {
  const advice = describeBranchInTheWay(prefix, blocking)
  return new TurnFailure('branch_in_the_way', `${advice}. Then send the message again`)
}

/** The model, and its fallback if there is one, gives no answer now, but may later. */
export class ModelAway extends TurnFailure {
  readonly reason: 'rate_limit' | 'overloaded' | 'unreachable'
  /** When it can be asked again, if its provider says so. */
  readonly retryAt: Date | undefined

  constructor(
    message: string,
    { reason, retryAt, cause }: Pick<ModelAway, 'reason' | 'retryAt'> & { cause: unknown },
  ) {
    super('model_error', message, { cause })
    this.name = 'ModelAway'
    this.reason = reason
    this.retryAt = retryAt
  }
}

/**
 * The turn no longer belongs to this runner: it was cancelled, or another runner was faster. Nothing must be
 * written.
 */
export class TurnLost extends Error {
  constructor() {
    super('The turn was ended or taken over in the meantime')
    this.name = 'TurnLost'
  }
}

/** The turn continues later, because other jobs have waited long enough. */
export class TurnYielded extends Error {
  /** Steps that the turn has taken. */
  readonly steps: number

  constructor(steps: number) {
    super('The turn makes room for other jobs')
    this.steps = steps
    this.name = 'TurnYielded'
  }
}
