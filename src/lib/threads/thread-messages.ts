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
  | { kind: 'reading'; name: string | undefined }
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
