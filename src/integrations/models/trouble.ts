/** The kind of a failed call, which decides what can be done about it. */
export type TroubleKind =
  | 'key'
  | 'forbidden'
  | 'model'
  | 'address'
  | 'unreachable'
  | 'cut'
  | 'timeout'
  | 'rate'
  | 'overloaded'
  | 'quota'
  | 'context'
  | 'tools'
  | 'template'
  | 'answer'
  | 'unknown'

/**
 * A provider's failure. Its message is written for people and holds no key, its `cause` holds only the provider's
 * own words. The SDK does not retry on it.
 */
export class ModelTrouble extends Error {
  readonly kind: TroubleKind
  /** Whether the same call may succeed after minutes. */
  readonly passing: boolean
  /** When the provider takes calls again, if it says so. */
  readonly retryAt: Date | undefined
  /** It was known from an earlier call, and no other was made. */
  readonly isKnown: boolean

  constructor(
    kind: TroubleKind,
    message: string,
    options: ErrorOptions & { passing?: boolean; retryAt?: Date | undefined; isKnown?: boolean } = {},
  ) {
    super(message, options)
    this.name = 'ModelTrouble'
    this.kind = kind
    this.passing = options.passing ?? false
    this.retryAt = options.retryAt
    this.isKnown = options.isKnown ?? false
  }
}
