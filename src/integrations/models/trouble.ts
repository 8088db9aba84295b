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
  | 'answer'
  | 'unknown'

/**
 * A provider's failure. Its message is written for people and holds no key, its `cause` holds only the provider's
 * own words. The SDK does not retry on it.
 */
export class ModelTrouble extends Error {
  readonly kind: TroubleKind

  constructor(kind: TroubleKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ModelTrouble'
    this.kind = kind
  }
}
