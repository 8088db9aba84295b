import { AppError } from '../../../lib/errors.ts'
import type { ErrorCode } from '../../../lib/errors.ts'

/** A request that a host refused or did not answer. Its message is for people and holds no secret. */
export class HostFailure extends AppError {
  /** What the host answered with; undefined when no whole answer came. */
  readonly status: number | undefined
  /** The host's own words, one line, redacted; empty when there were none. For telling refusals apart. */
  readonly detail: string
  /** False when it may have happened all the same: no whole answer came, or a server error did. */
  readonly refused: boolean
  /** Whether the same may succeed later. */
  readonly passing: boolean
  /** When it may be asked again, where the host says so. */
  readonly retryAt: Date | undefined

  constructor(
    code: ErrorCode,
    message: string,
    answer: {
      status?: number
      detail?: string
      refused: boolean
      passing: boolean
      retryAt?: Date
      cause?: unknown
    },
  ) {
    super(code, message, answer.cause === undefined ? {} : { cause: answer.cause })
    this.name = 'HostFailure'
    this.status = answer.status
    this.detail = answer.detail ?? ''
    this.refused = answer.refused
    this.passing = answer.passing
    this.retryAt = answer.retryAt
  }
}

/** Whether a host answered with one of these status codes. */
export function isAnswer(error: unknown, ...statuses: number[]): error is HostFailure {
  return error instanceof HostFailure && error.status !== undefined && statuses.includes(error.status)
}
