/** The turn failed for good. The message is for the person who gave the prompt. */
export class TurnFailure extends Error {
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'TurnFailure'
    this.code = code
  }
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
    super('The turn was ended or taken over meanwhile')
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
