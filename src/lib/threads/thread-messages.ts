import { AppError } from '../errors.ts'

/** What a thread is given and gives back; `request` is what it may ask on the way, and `reply` what it then gets. */
export interface ThreadContract {
  task: unknown
  answer: unknown
  request?: unknown
  reply?: unknown
}

/** From the thread to its owner; `answer` without a task says that the thread has started. */
export type ThreadMessage =
  | { kind: 'ask'; id: number; request: unknown }
  | { kind: 'answer'; answer: unknown }
  | { kind: 'failed'; error: ErrorRecord }

export type OwnerMessage =
  | { kind: 'task'; task: unknown }
  | { kind: 'reply'; id: number; value: unknown }
  | { kind: 'refusal'; id: number; error: ErrorRecord }

/** An error on its way between threads: its class does not come along. */
interface ErrorRecord {
  message: string
  code?: AppError['code'] | undefined
}

export function describe(error: unknown): ErrorRecord {
  const message = error instanceof Error ? error.message : String(error)
  return error instanceof AppError ? { message, code: error.code } : { message }
}

export function restore({ message, code }: ErrorRecord): Error {
  return code === undefined ? new Error(message) : new AppError(code, message)
}

/** Bytes of a name; what is longer is cut. */
const longestName = 16_384
const head = 8

/**
 * Shared memory in which a thread names what it reads. Its owner sees the name at any time, and hundreds of names
 * need no message.
 */
export function createNote(): SharedArrayBuffer {
  return new SharedArrayBuffer(head + longestName)
}

export function writeNote(note: SharedArrayBuffer, name: string | undefined): void {
  const bytes = Buffer.from(name ?? '').subarray(0, longestName)
  new Uint8Array(note, head).set(bytes)
  const counts = new Int32Array(note, 0, 2)
  Atomics.store(counts, 1, name === undefined ? -1 : bytes.length)
  Atomics.add(counts, 0, 1)
}

export function readNote(note: SharedArrayBuffer): string | undefined {
  const length = Atomics.load(new Int32Array(note, 0, 2), 1)
  return length < 0 ? undefined : Buffer.from(new Uint8Array(note, head, length)).toString()
}

/** Counts the names that were written, so that a new text is noticed. */
export function countNotes(note: SharedArrayBuffer): number {
  return Atomics.load(new Int32Array(note, 0, 2), 0)
}
