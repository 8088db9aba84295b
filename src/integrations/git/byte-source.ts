import type { Readable } from 'node:stream'
import { AppError } from '../../lib/errors.ts'

/** Reads a stream by lines and by counted bytes, holding no more than it was asked for and one chunk. */
export class ByteSource {
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
