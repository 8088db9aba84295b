type Block = Uint8Array | Uint16Array | Uint32Array

const blockBits = 16
const blockSize = 1 << blockBits
const blockMask = blockSize - 1

export const growingBytes = (): Growing => growing((length) => new Uint8Array(length))
export const growingHalves = (): Growing => growing((length) => new Uint16Array(length))
export const growingWords = (): Growing => growing((length) => new Uint32Array(length))

/** Numbers appended one by one, in blocks, so that growing never copies what is already there. */
export interface Growing {
  readonly length: number
  push: (value: number) => void
  at: (index: number) => number
  copyTo: (target: Block) => void
}

function growing(makeBlock: (length: number) => Block): Growing {
  const blocks: Block[] = []
  let block = makeBlock(0)
  let length = 0
  return {
    get length() {
      return length
    },
    push(value) {
      const slot = length & blockMask
      if (slot === 0) {
        // Most segments hold one or two pages, so the first block starts small and grows; later blocks have their
        // full size.
        block = makeBlock(blocks.length === 0 ? 256 : blockSize)
        blocks.push(block)
      } else if (slot === block.length) {
        const larger = makeBlock(block.length * 4)
        larger.set(block)
        blocks[0] = larger
        block = larger
      }
      block[slot] = value
      length += 1
    },
    at(index) {
      return blocks[index >>> blockBits]?.[index & blockMask] ?? 0
    },
    copyTo(target) {
      blocks.forEach((part, number) => {
        const start = number << blockBits
        target.set(part.subarray(0, Math.min(blockSize, length - start)), start)
      })
    },
  }
}

/** Strings appended as UTF-8: where each starts, and their bytes. */
export interface GrowingStrings {
  readonly length: number
  readonly bytes: number
  push: (text: string) => void
  pushBytes: (text: Uint8Array) => void
  copyTo: (starts: Uint32Array, bytes: Uint8Array) => void
}

const smallestByteBlock = 1 << 12
const largestByteBlock = 1 << 20

export function growingStrings(): GrowingStrings {
  const encoder = new TextEncoder()
  const starts = growingWords()
  const blocks: Uint8Array[] = []
  let block = new Uint8Array(0)
  let used = 0
  let bytes = 0

  /** Room for `length` bytes at the end of the current block. */
  function room(length: number): Uint8Array {
    if (block.length - used < length) {
      if (used > 0) blocks.push(block.subarray(0, used))
      block = new Uint8Array(Math.max(smallestByteBlock, Math.min(largestByteBlock, bytes), length))
      used = 0
    }
    return block.subarray(used)
  }

  function took(length: number): void {
    starts.push(bytes)
    used += length
    bytes += length
  }

  return {
    get length() {
      return starts.length
    },
    get bytes() {
      return bytes
    },
    push(text) {
      took(encoder.encodeInto(text, room(text.length * 3)).written)
    },
    pushBytes(text) {
      room(text.length).set(text)
      took(text.length)
    },
    copyTo(startsTarget, bytesTarget) {
      starts.copyTo(startsTarget)
      startsTarget[starts.length] = bytes
      let at = 0
      for (const part of [...blocks, block.subarray(0, used)]) {
        bytesTarget.set(part, at)
        at += part.length
      }
    },
  }
}
