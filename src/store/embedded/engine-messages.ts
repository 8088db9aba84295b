import type { MessagePort } from 'node:worker_threads'

/** What the engine's thread opens. */
export interface EngineTask {
  /** `memory://` keeps everything in memory. */
  folder: string
  /** What the store is made from, instead of an empty cluster. */
  archive: Blob | undefined
}

/** What the thread is given when it starts. */
export interface EngineStart extends EngineTask {
  /** Where requests come in. */
  port: MessagePort
  /** Counts the requests: the thread sleeps until it changes, which takes half of the time of an event loop's turn. */
  count: SharedArrayBuffer
}

/** Bytes. What is larger is moved to the other thread, and what is smaller copied, which is quicker. */
export const largestCopied = 32 * 1024

/** Bytes are messages of PostgreSQL's protocol. There is one reply to each request, in their order. */
export type EngineRequest = Uint8Array | { kind: 'close' } | { kind: 'dump' } | { kind: 'copy'; to: string }

/** The first one says that the store is open. */
export type EngineReply = Uint8Array | { failed: FailureRecord }

/** An error on its way between threads: its class does not come along. */
export interface FailureRecord {
  name: string
  message: string
}

export function describeFailure(error: unknown): FailureRecord {
  return error instanceof Error
    ? { name: error.name, message: error.message }
    : { name: 'Error', message: String(error) }
}

/** An abort or a trap of the program. It can never be used again. */
export function isCrash({ name }: FailureRecord): boolean {
  return name === 'RuntimeError' || name === 'ExitStatus'
}
