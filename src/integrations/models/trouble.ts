/** What went wrong with a call; what can be done about it depends on it. */
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
 * What is left of a provider's failure: its message is written for people and holds no key, its `cause` only
 * the provider's own words. The SDK does not try again on it, because that has been done.
 */
export class ModelTrouble extends Error {
  readonly kind: TroubleKind

  constructor(kind: TroubleKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ModelTrouble'
    this.kind = kind
  }
}
