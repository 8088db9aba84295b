import { AppError } from '../../../lib/errors.ts'
import { noteCorruption } from '../corruption.ts'
import type { Repository } from '../git.ts'
import { requireObjectId } from '../object-id.ts'
import { GitError } from '../process/run-git.ts'
import { startGit, type GitProcess } from '../process/start-git.ts'
import type { Readable } from 'node:stream'

export type BlobRead =
  | { state: 'read'; oid: string; content: Buffer }
  | { state: 'missing'; oid: string }
  | { state: 'too_large'; oid: string; size: number }

type ReaderOptions = {
  /** Bytes of a file beyond which it is not read; 8 MiB when not given. */
  maxBytes?: number | undefined
  signal?: AbortSignal | undefined
  /** Milliseconds until the reader is stopped; a day when not given, since a job keeps one open. */
  deadline?: number | undefined
}

/** One `cat-file` process that stays open, for work that reads one file after the other. Close it with `await using`. */
export async function openBlobReader(
  repository: Repository,
  options: ReaderOptions = {},
): Promise<BlobReader> {
  const child = await startGit(repository.git, {
    args: ['cat-file', '--batch-command', '--buffer'],
    folder: repository.folder,
    signal: options.signal,
    deadline: options.deadline ?? 86_400_000,
  })
  return new BlobReader(child, options.maxBytes ?? 8 * 1024 * 1024, repository.folder)
}

export class BlobReader implements AsyncDisposable {
  #child: GitProcess
  #source: ByteSource
  #maxBytes: number
  #folder: string | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(child: GitProcess, maxBytes: number, folder?: string) {
    this.#child = child
    this.#source = new ByteSource(child.stdout)
    this.#maxBytes = maxBytes
    this.#folder = folder
  }

  /** One file. Calls at the same time are answered in order. An id that is not a file's is `missing`. */
  async read(oid: string): Promise<BlobRead> {
    const [result] = await this.readSome([oid])
    if (result === undefined) throw new AppError('internal', 'git gave no answer')
    return result
  }

  /** A few files at once, in the given order: at most 250, so that neither pipe can fill while the other waits. */
  async readSome(oids: readonly string[]): Promise<BlobRead[]> {
    for (const oid of oids) requireObjectId(oid)
    if (oids.length > 250) throw new AppError('internal', 'At most 250 files can be read at once')
    const result = this.#last.then(() => this.#exchange(oids))
    this.#last = result.catch((error: unknown) => this.#child.kill(error))
    return result
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.stdin.end()
    this.#child.kill(new AppError('internal', 'The blob reader is closed'))
    await this.#child.finished.catch(() => {})
  }

  // Sizes first: what is too large is never unpacked.
  async #exchange(oids: readonly string[]): Promise<BlobRead[]> {
    this.#ask('info', oids)
    const results: (BlobRead | undefined)[] = []
    const wanted: { oid: string; at: number; size: number }[] = []
    for (const [at, oid] of oids.entries()) {
      const [, type, size] = (await this.#line()).split(' ')
      const bytes = Number(size)
      if (type !== 'blob') results[at] = { state: 'missing', oid }
      else if (bytes > this.#maxBytes) results[at] = { state: 'too_large', oid, size: bytes }
      else wanted.push({ oid, at, size: bytes })
    }
    if (wanted.length > 0)
      this.#ask(
        'contents',
        wanted.map((blob) => blob.oid),
      )
    for (const { oid, at, size } of wanted) {
      await this.#line()
      const content = await this.#source.bytes(size + 1)
      results[at] = { state: 'read', oid, content: content.subarray(0, size) }
    }
    return results.filter((result) => result !== undefined)
  }

  #ask(command: 'info' | 'contents', oids: readonly string[]): void {
    this.#child.stdin.write(`${oids.map((oid) => `${command} ${oid}\n`).join('')}flush\n`)
  }

  async #line(): Promise<string> {
    return this.#source.line().catch(async (error: unknown) => {
      // The reason why the process ended (deadline, abort, failure) tells more than the closed pipe.
      const exit = await this.#child.finished
      noteCorruption(this.#folder, exit.stderr)
      throw new GitError('cat-file', exit.code, exit.stderr, { cause: error })
    })
  }
}

/** Reads a stream by lines and by counted bytes, holding no more than it was asked for and one chunk. */
class ByteSource {
  #chunks: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(stream: Readable) {
    this.#chunks = stream[Symbol.asyncIterator]()
  }

  /** One line without its end. @throws AppError when the stream ends or the line is longer than `limit` bytes. */
  async line(limit = 4096): Promise<string> {
    const parts: Buffer[] = []
    let length = 0
    for (;;) {
      const end = this.#rest.indexOf(10)
      const piece = end === -1 ? this.#rest : this.#rest.subarray(0, end)
      parts.push(piece)
      length += piece.length
      if (length > limit) throw new AppError('internal', 'git answered with a line that is too long')
      if (end !== -1) {
        this.#rest = this.#rest.subarray(end + 1)
        return Buffer.concat(parts).toString('utf8')
      }
      await this.#more()
    }
  }

  async bytes(count: number): Promise<Buffer> {
    if (this.#rest.length >= count) {
      // A copy: a small file must not keep the whole chunk alive.
      const small = Buffer.from(this.#rest.subarray(0, count))
      this.#rest = this.#rest.subarray(count)
      return small
    }
    const result = Buffer.allocUnsafeSlow(count)
    for (let filled = 0; ;) {
      const piece = this.#rest.subarray(0, count - filled)
      result.set(piece, filled)
      filled += piece.length
      this.#rest = this.#rest.subarray(piece.length)
      if (filled === count) return result
      await this.#more()
    }
  }

  async #more(): Promise<void> {
    const next = await this.#chunks.next()
    if (next.done === true) throw new AppError('internal', 'git ended in the middle of an answer')
    this.#rest = next.value
  }
}

/**
 * The files of many ids through one git process, in the given order, a window at a time: memory stays at one window.
 * Files over `maxBytes` (8 MiB when not given) come as `too_large`, ids that are no file's as `missing`.
 */
export async function* readBlobs(
  repository: Repository,
  oids: Iterable<string>,
  options: {
    maxBytes?: number | undefined
    signal?: AbortSignal | undefined
    deadline?: number | undefined
  } = {},
): AsyncGenerator<BlobRead, void> {
  await using reader = await openBlobReader(repository, {
    ...options,
    deadline: options.deadline ?? 1_800_000,
  })
  for (const window of windows(oids, 100)) yield* await reader.readSome(window)
}

function* windows(oids: Iterable<string>, size: number): Generator<string[]> {
  let window: string[] = []
  for (const oid of oids) {
    window.push(oid)
    if (window.length < size) continue
    yield window
    window = []
  }
  if (window.length > 0) yield window
}
