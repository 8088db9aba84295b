import { shortInput, shortOutput } from './shorten.ts'
import type { Step } from '../turns/steps.ts'
import { isRecord } from '../../../lib/is-record.ts'

/** Tokens for the instructions and the descriptions of the tools, where they are not counted. */
export const usualOverhead = 8000
/** The number of newest steps that are shortened last. */
const kept = 3
/**
 * The share of the bound that is left after a compaction. Compacting in large steps keeps the provider's cache of
 * the beginning valid.
 */
const share = 0.6
/** The most that shortened steps may take of the bound, and what is left of them once they exceed it. */
const mostShortened = 0.3
const leastShortened = 0.1
/** The share of the bound that the results of one answer may take: a model may ask for a dozen files at once. */
export const shareOfOne = 0.4
const longestBound = 200_000
const usualBound = 100_000

/** The most tokens of a conversation in a model's window, where that is known. The rest is for the answer. */
export function tokenBoundOf(window: number | undefined): number {
  return window === undefined ? usualBound : Math.min(longestBound, Math.round(window * 0.8))
}

export interface Compaction {
  /** Names of the inputs and outputs that are shortened, by `pieceName`. */
  short: ReadonlySet<string>
  /** How many of the oldest steps are left out entirely. */
  dropped: number
  /**
   * The first step after the last compaction. Everything before it is sent in the form that the compaction gave it.
   */
  since: number
}

/**
 * Decides what is shortened and which steps are dropped so that a conversation stays within `bound` tokens: first what
 * was read of files that were edited or read again since, then what was written into files, then the rest from the
 * oldest on, and the newest steps only where nothing else is left. The result depends on the journal alone, and mostly
 * stays the same when a step is added. `tokensBefore` is the number of tokens before the steps, those of instructions
 * and tools included.
 */
export function compact(steps: readonly Step[], tokensBefore: number, bound: number): Compaction {
  const short = new Set<string>()
  const goal = bound * share
  let dropped = 0
  let since = 0
  let total = tokensBefore
  const sizes = steps.map((step) => sizeOf(step, bound * shareOfOne))
  const leftOf = (index: number) =>
    (sizes[index]?.pieces ?? []).reduce(
      (left, { name, spared }) => left - (short.has(name) ? spared : 0),
      sizes[index]?.whole ?? 0,
    )
  const shorten = (pieces: readonly Piece[], enough: number): void => {
    for (const { name, spared } of pieces) {
      if (total <= enough) return
      if (short.has(name) || spared <= 0) continue
      short.add(name)
      total -= spared
    }
  }
  for (const index of steps.keys()) {
    total += sizes[index]?.whole ?? 0
    if (total <= bound) continue
    since = index + 1
    const present = sizes.slice(dropped, index + 1)
    const done = sizes.slice(dropped, index).flatMap(({ pieces }) => pieces)
    const old = sizes.slice(dropped, Math.max(dropped, index - kept + 1)).flatMap(({ pieces }) => pieces)
    shorten(
      outdated(present.flatMap(({ pieces }) => pieces)).filter((piece) => done.includes(piece)),
      goal,
    )
    shorten(
      done.filter(({ isWritten }) => isWritten),
      goal,
    )
    shorten(old, goal)
    let left = 0
    for (let at = dropped; at <= index - kept; at++) left += leftOf(at)
    // Some are dropped at once, so that this happens rarely.
    if (left > bound * mostShortened || total > bound) {
      for (; left > bound * leastShortened && dropped <= index - kept; dropped++) {
        left -= leftOf(dropped)
        total -= leftOf(dropped)
      }
    }
    shorten(done, bound)
    shorten(sizes[index]?.pieces ?? [], bound)
  }
  return { short, dropped, since }
}

/** An input or an output of a call that can be shortened. */
interface Piece {
  name: string
  /** Tokens that are saved. */
  spared: number
  /** Tokens of an output. */
  shown: number
  /** Whether it is a text that a file holds now. */
  isWritten: boolean
  /** The file that a call has shown. */
  read: string | undefined
  /** The files that a call has changed. */
  changed: readonly string[]
}

export function pieceName(kind: 'input' | 'output', id: string): string {
  return `${kind} ${id}`
}

/** What was read of files that were changed or read once more since. */
function outdated(pieces: readonly Piece[]): Piece[] {
  const later = new Set<string>()
  return pieces
    .toReversed()
    .filter(({ read, changed }) => {
      const isOld = read !== undefined && later.has(read)
      for (const path of changed) later.add(path)
      if (read !== undefined) later.add(read)
      return isOld
    })
    .toReversed()
}

/** Estimates the tokens of a text or of a value as JSON: one for three bytes, which also suits other scripts. */
export function estimateTokens(value: unknown): number {
  return Math.ceil(Buffer.byteLength(typeof value === 'string' ? value : (JSON.stringify(value) ?? '')) / 3)
}

interface StepSize {
  whole: number
  pieces: readonly Piece[]
}

// A cache: a step does not change once its tools have run.
const sizes = new WeakMap<Step, StepSize>()

/** `most`: tokens of the results together, beyond which they are cut. */
function sizeOf(step: Step, most: number): StepSize {
  const known = sizes.get(step) ?? measure(step)
  if (step.results) sizes.set(step, known)
  const room = roomOfEach(
    known.pieces.map(({ shown }) => shown),
    most,
  )
  let cut = 0
  const pieces = known.pieces.map((piece, index) => {
    const over = piece.shown - (room[index] ?? 0)
    cut += over
    return over === 0 ? piece : { ...piece, spared: Math.max(0, piece.spared - over) }
  })
  return cut === 0 ? known : { whole: known.whole - cut, pieces }
}

/** How many of `most` tokens each of some texts gets: short ones come before long ones, and the first that does not fit is cut. */
export function roomOfEach(sizes: readonly number[], most: number): number[] {
  let left = Math.ceil(most)
  const room = sizes.map(() => 0)
  for (const [index, size] of [...sizes.entries()].sort(([, one], [, other]) => one - other)) {
    if (size > left) break
    room[index] = size
    left -= size
  }
  const first = sizes.findIndex((size, index) => size > (room[index] ?? 0))
  if (first !== -1) room[first] = left
  return room
}

function measure({ response, results }: Step): StepSize {
  const outputs = results?.outputs ?? []
  const whole = estimateTokens(response.messages) + estimateTokens(outputs)
  const pieces = response.calls.flatMap(({ id, name, input }): Piece[] => {
    const output = outputs.find((one) => one.id === id)?.output
    const isWritten = isWrittenBy(output)
    const fields = isRecord(output) ? output : {}
    const path = typeof fields['path'] === 'string' ? fields['path'] : undefined
    const none = { read: undefined, changed: [], isWritten: false, shown: 0 }
    const inputLeft = shownInput(name, input, isWritten)
    const inputPiece = {
      ...none,
      name: pieceName('input', id),
      spared: estimateTokens(input) - estimateTokens(inputLeft),
      isWritten,
    }
    const outputPiece = {
      ...none,
      name: pieceName('output', id),
      spared: estimateTokens(output) - estimateTokens(shortOutput(name, input, output)),
      shown: estimateTokens(output),
      read: name === 'read_file' ? path : undefined,
      changed: isRecord(fields['edited']) ? Object.keys(fields['edited']) : [],
    }
    return output === undefined ? [inputPiece] : [inputPiece, outputPiece]
  })
  return { whole, pieces }
}

/** Whether a call has written its input into files. */
export function isWrittenBy(output: unknown): boolean {
  return isRecord(output) && isRecord(output['edited'])
}

/** A call's input where it is shortened; plans stay. */
export function shownInput(name: string, input: unknown, isWritten: boolean): unknown {
  return name === 'plan' ? input : shortInput(input, isWritten)
}
