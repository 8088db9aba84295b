import { classifyFailure, innermost } from './classify-failure.ts'
import { readModelName } from './model-name.ts'
import { providers } from './providers.ts'
import { ModelTrouble, type TroubleKind } from './trouble.ts'

const outages: ReadonlySet<TroubleKind> = new Set([
  'unreachable',
  'cut',
  'timeout',
  'rate',
  'overloaded',
  'quota',
  'answer',
])

/** Whether another model may do better: the provider is away, overloaded, hanging or out of quota. */
export function isOutage(error: unknown): boolean {
  return outages.has(kindOf(error))
}

/**
 * How long to leave a provider alone whose trouble may pass within minutes: until the time that it names, if any.
 * Undefined for trouble that waiting does not mend, such as a wrong key.
 */
export function passingTroubleOf(
  error: unknown,
): { kind: TroubleKind; retryAt: Date | undefined } | undefined {
  const cause = innermost(error)
  const { kind, passing } = cause instanceof ModelTrouble ? cause : classifyFailure(error)
  if (!passing) return undefined
  return { kind, retryAt: cause instanceof ModelTrouble ? cause.retryAt : undefined }
}

/** Whether the conversation is longer than the model can read: shorten it and ask again. */
export function isContextOverflow(error: unknown): boolean {
  return kindOf(error) === 'context'
}

/** Whether the model, or its server as it is set up, refuses to be given tools. */
export function isWithoutTools(error: unknown): boolean {
  return kindOf(error) === 'tools'
}

/** A provider's failure as one sentence for people, without secrets: what happened, and what to set or change. */
export function describeTrouble(error: unknown, name: string): string {
  const cause = innermost(error)
  if (cause instanceof ModelTrouble) return cause.message
  return describeFailure(error, { name, address: undefined, secrets: [], hasKey: true })
}

/** What is known of a call where it failed. */
export interface FailedCall {
  name: string
  /** The address of the provider. */
  address: string | undefined
  hasKey: boolean
  /** Secrets that no message may hold. */
  secrets: readonly string[]
}

/** A failure of a call as the trouble that it is; a ModelTrouble stays as it is. */
export function toTrouble(error: unknown, call: FailedCall): ModelTrouble {
  if (error instanceof ModelTrouble) return error
  const { kind, words, passing, wait } = classifyFailure(error)
  const retryAt = wait === undefined ? undefined : new Date(Date.now() + wait)
  // Only the message is kept: the error itself holds the request, and answers in which providers repeat keys.
  const cause = new Error(hideKeys(words, call.secrets))
  return new ModelTrouble(kind, describeFailure(error, call), { cause, passing, retryAt })
}

/** The sentence of a failure. */
function describeFailure(error: unknown, about: FailedCall): string {
  const failure = classifyFailure(error)
  const words = hideKeys(failure.words, about.secrets)
  const { name } = about
  const parsed = readModelName(name)
  const provider = parsed && providers[parsed.provider]
  const keyVariable = provider?.keyVariable
  const key = keyVariable === undefined ? 'its key' : `${keyVariable} (or ${keyVariable}_FILE)`
  const at = about.address === undefined ? 'its provider' : `its provider at ${about.address}`
  const urlHint = provider === undefined ? '' : `, and ${provider.urlVariable} if it should be elsewhere`
  switch (failure.kind) {
    case 'key':
      return about.hasKey
        ? `The provider of ${name} refused the key: set ${key} to a valid one${tail(words)}`
        : `The provider of ${name} asks for a key: set ${key}${tail(words)}`
    case 'forbidden':
      return `The provider of ${name} does not let this key use the model: check ${key} and the account${tail(words)}`
    case 'model':
      return `The provider of ${name} does not know this model: check the name${tail(words)}`
    case 'address':
      return `There is no model interface for ${name}: check ${provider?.urlVariable ?? 'the base address'}${
        about.address === undefined ? '' : `, now ${about.address}`
      }; it usually ends in /v1${tail(words)}`
    case 'unreachable':
      return `${name} can’t be reached, because ${at} cannot be reached: check the network${urlHint}${tail(words)}`
    case 'cut':
      return `The connection to ${name} broke off before its answer was whole: try again later`
    case 'timeout':
      return `${name} timed out. Try again later`
    case 'rate':
      return `The provider of ${name} limits the rate of requests: try again later${tail(words)}`
    case 'overloaded':
      return `The provider of ${name} has trouble or is overloaded: try again later${tail(words)}`
    case 'quota':
      return `The account of ${name} has no quota or credit left: check its billing${tail(words)}`
    case 'context':
      return `The conversation is longer than ${name} can read: ask for less at once, or choose a model with a larger context`
    case 'tools':
      return `${name} cannot call tools here: choose a model that can, or turn it on in its server${tail(words)}`
    case 'template':
      return `The chat template of ${name} cannot write this conversation: choose another template or model${tail(words)}`
    case 'answer':
      return `The answer of ${name} could not be understood: check that ${provider?.urlVariable ?? 'the base address'} is right${tail(words)}`
    case 'unknown':
      return `${name} failed${tail(words)}`
  }
}

function kindOf(error: unknown): TroubleKind {
  const cause = innermost(error)
  return cause instanceof ModelTrouble ? cause.kind : classifyFailure(error).kind
}

function tail(words: string): string {
  return words === '' ? '' : ` (${words})`
}

const keyShapes = /\b(?:sk-|sk_|AIza|Bearer )[\w.*-]{8,200}/g

/** Removes known keys, and text that looks like a key, from a message of a provider. */
function hideKeys(text: string, secrets: readonly string[]): string {
  let hidden = text
  for (const secret of secrets) if (secret.length >= 6) hidden = hidden.replaceAll(secret, '[key]')
  return hidden.replace(keyShapes, '[key]')
}
