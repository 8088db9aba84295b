import { AppError, type ErrorCode } from '../../../lib/errors.ts'

/** A request that a host refused or did not answer. Its message is for people and holds no secret. */
export class HostFailure extends AppError {
  /** The status code of the answer; undefined when no complete answer came. */
  readonly status: number | undefined
  /** The host's own words in one redacted line, to tell refusals apart; empty when there were none. */
  readonly detail: string
  /** False when the request may have taken effect: there was no complete answer, or a server error. */
  readonly refused: boolean
  /** Whether the same request may succeed later. */
  readonly passing: boolean
  /** Whether its host name has no address. To who has just typed it that is a mistake; later it is an outage. */
  readonly isUnknownName: boolean
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
      isUnknownName?: boolean | undefined
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
    this.isUnknownName = answer.isUnknownName ?? false
    this.retryAt = answer.retryAt
  }
}

/** Whether a host answered with one of these status codes. */
export function isAnswer(error: unknown, ...statuses: number[]): error is HostFailure {
  return error instanceof HostFailure && error.status !== undefined && statuses.includes(error.status)
}
