import type { Patience } from './model.ts'
import { readModelName } from './model-name.ts'
import { providers } from './providers.ts'

/** What the operator sets of it: a number for the models whose names a pattern matches; the first that matches counts. */
export interface PatienceSettings {
  /** Seconds. */
  firstText: readonly PatternNumber[]
  /** Seconds. */
  answer: readonly PatternNumber[]
  calls: readonly PatternNumber[]
}

export interface PatternNumber {
  /** `*` stands for anything. */
  pattern: string
  number: number
}

/** The variables that set it, which messages name. */
export const patienceVariables = {
  firstText: 'DOCWRIGHT_MODEL_FIRST_TEXT_SECONDS',
  answer: 'DOCWRIGHT_MODEL_ANSWER_SECONDS',
  calls: 'DOCWRIGHT_MODEL_CALLS',
} as const

const hosted: Patience = { firstText: 30_000, answer: 90_000, step: 300_000, calls: undefined }
/** A model on a computer without a large graphics card reads some hundred tokens in a second. */
const own: Patience = { firstText: 300_000, answer: 900_000, step: 900_000, calls: undefined }
export function isOwnServer(name: string): boolean {
  const provider = readModelName(name)?.provider
  return provider !== undefined && providers[provider].assumedWindow !== undefined
}

export function patienceOf(name: string, settings: PatienceSettings): Patience {
  const usual = isOwnServer(name) ? own : hosted
  const firstText = secondsFor(name, settings.firstText) ?? usual.firstText
  const answer = Math.max(firstText, secondsFor(name, settings.answer) ?? usual.answer)
  return { firstText, answer, step: Math.max(usual.step, answer), calls: numberFor(name, settings.calls) }
}

function secondsFor(name: string, numbers: readonly PatternNumber[]): number | undefined {
  const seconds = numberFor(name, numbers)
  return seconds === undefined ? undefined : seconds * 1000
}

export function numberFor(name: string, numbers: readonly PatternNumber[]): number | undefined {
  return numbers.find(({ pattern }) => matchesPattern(name, pattern))?.number
}

/** `*` stands for anything, slashes too. */
export function matchesPattern(name: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return name === pattern
  if (!name.startsWith(first)) return false
  let at = first.length
  for (const piece of rest) {
    const index = name.indexOf(piece, at)
    if (index < 0) return false
    at = index + piece.length
  }
  return name.length - last.length >= at && name.endsWith(last)
}
