import { open, rename } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { checksumWord, damaged, headerWords, openSegment, type Segment } from './segment.ts'

/** Large enough to be quick, small enough that the checksum of one holds nobody up. */
const chunk = 4 * 2 ** 20

/** Writes the segment to a file that is either whole or not there; the name it had before stays on failure. */
export async function writeSegment(segment: Segment, path: string): Promise<void> {
  const bytes = new Uint8Array(segment.buffer)
  const header = new Uint32Array(segment.buffer.slice(0, headerWords * 4))
  header[checksumWord] = await checksum(bytes)
  const unfinished = `${path}.${process.pid}.tmp`
  await using file = await open(unfinished, 'w')
  await file.writev([new Uint8Array(header.buffer)])
  for (let at = headerWords * 4; at < bytes.length;) {
    const { bytesWritten } = await file.write(bytes.subarray(at, at + chunk))
    at += bytesWritten
  }
  await file.sync()
  await rename(unfinished, path)
}

/** The segment of a file, checked against its checksum. Throws AppError when the file is damaged. */
export async function readSegment(path: string): Promise<Segment> {
  await using file = await open(path, 'r')
  const { size } = await file.stat()
  const bytes = new Uint8Array(size)
  for (let at = 0; at < size;) {
    const { bytesRead } = await file.read(bytes, at, Math.min(chunk, size - at))
    if (bytesRead === 0) throw damaged('is cut short')
    at += bytesRead
  }
  const segment = openSegment(bytes.buffer)
  if (new Uint32Array(bytes.buffer, 0, headerWords)[checksumWord] !== (await checksum(bytes))) {
    throw damaged('does not match its checksum')
  }
  return segment
}

async function checksum(bytes: Uint8Array): Promise<number> {
  let sum = 0
  for (let at = (checksumWord + 1) * 4; at < bytes.length; at += chunk) {
    sum = crc32(bytes.subarray(at, at + chunk), sum)
    await new Promise(setImmediate)
  }
  return sum
}
