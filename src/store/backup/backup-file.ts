import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'
import { AppError, messageOf } from '../../lib/errors.ts'

const head = z.object({
  format: z.literal('docwright-backup'),
  version: z.int(),
  /** The version that made it. */
  docwright: z.string(),
  createdAt: z.iso.datetime(),
  engine: z.enum(['pglite', 'postgres']),
  /** Where the repositories of the data folder were, to which projects refer. */
  repositories: z.string(),
  migrations: z.array(z.string()),
  /** The key that secrets are encrypted with, if it was asked for, and a sign to know it by. */
  secretKey: z.object({
    sign: z.string(),
    hex: z
      .string()
      .regex(/^[\da-f]{64}$/)
      .nullable(),
  }),
})
const lineSchema = z.union([
  z.array(z.string().nullable()),
  z.object({ table: z.string(), columns: z.array(z.string()), rows: z.int() }),
  /** A repository, whose bundle follows in pieces. */
  z.object({ repository: z.string().regex(/^\w[\w.-]*\.git$/), head: z.string(), bytes: z.int() }),
  z.object({ piece: z.base64() }),
])
const endSchema = z.object({ end: z.literal(true), lines: z.int(), sha256: z.string() })

export type BackupHead = z.output<typeof head>
export type BackupLine = z.output<typeof lineSchema>

/** Bytes, so that one line of a file from elsewhere does not fill the memory. Rows of our own are far smaller. */
export const longestLine = 128 * 1024 * 1024

/** Of the file format, not of the tables: those are known by their migrations. */
const formatVersion = 1

export interface BackupWriter {
  write(line: BackupLine): Promise<void>
  /** Writes the checksum. The backup is complete only then. */
  end(): Promise<void>
  abort(): void
}

/** A backup is a gzip file of one JSON value for each line, the last of which is the checksum of those before. */
export async function createBackupFile(
  path: string,
  given: Omit<BackupHead, 'format' | 'version'>,
): Promise<BackupWriter> {
  const gzip = createGzip()
  const file = createWriteStream(path, { mode: 0o600, flags: 'wx' })
  gzip.pipe(file)
  const done = finished(file)
  done.catch(() => {})
  file.on('error', (error) => gzip.destroy(error))
  const hash = createHash('sha256')
  let lines = 0
  const send = async (text: string): Promise<void> => {
    if (!gzip.write(text)) await Promise.race([once(gzip, 'drain'), done])
  }
  const write = async (value: unknown): Promise<void> => {
    const text = `${JSON.stringify(value)}\n`
    // Otherwise only the restore would find out.
    if (Buffer.byteLength(text) > longestLine)
      throw new AppError('too_large', `A row has more than the ${longestLine} bytes that a backup can hold`)
    hash.update(text)
    lines++
    await send(text)
  }
  await write({ format: 'docwright-backup', version: formatVersion, ...given } satisfies BackupHead)
  return {
    write,
    async end() {
      await send(`${JSON.stringify({ end: true, lines, sha256: hash.digest('hex') })}\n`)
      gzip.end()
      await done
    },
    abort() {
      gzip.destroy()
      file.destroy()
    },
  }
}

/**
 * Reads a backup, the head first. Lines may be used before the checksum is known: whoever writes them somewhere does
 * that in a transaction.
 * @throws AppError `invalid` for what is no backup, of a newer format, cut off or changed
 */
export async function* readBackupFile(path: string): AsyncGenerator<BackupHead | BackupLine> {
  const file = createReadStream(path)
  const gunzip = createGunzip()
  file.on('error', (error) => gunzip.destroy(error)).pipe(gunzip)
  const hash = createHash('sha256')
  let lines = 0
  try {
    for await (const text of linesOf(path, gunzip)) {
      const value = parsed(path, text)
      const end = endSchema.safeParse(value)
      if (end.success) {
        if (end.data.lines !== lines || end.data.sha256 !== hash.digest('hex'))
          throw new AppError('invalid', `${path} was changed after it was made: its checksum is wrong`)
        return
      }
      hash.update(`${text}\n`)
      lines++
      yield lines === 1 ? headOf(path, value) : lineOf(path, value)
    }
    throw new AppError('invalid', `${path} is cut off: its end is missing`)
  } catch (error) {
    if (error instanceof AppError) throw error
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    throw new AppError(
      'invalid',
      isMissing ? `There is no file ${path}` : `${path} cannot be read as a backup: ${messageOf(error)}`,
      { cause: error },
    )
  } finally {
    file.destroy()
    gunzip.destroy()
  }
}

/** The lines that are complete. */
async function* linesOf(path: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let pieces: Buffer[] = []
  let size = 0
  for await (const chunk of chunks)
    for (let start = 0; ;) {
      const end = chunk.indexOf('\n', start)
      const piece = chunk.subarray(start, end < 0 ? chunk.length : end)
      size += piece.length
      if (size > longestLine) throw new AppError('invalid', `${path} has a line that is too long`)
      pieces.push(piece)
      if (end < 0) break
      yield Buffer.concat(pieces).toString()
      pieces = []
      size = 0
      start = end + 1
    }
}

function parsed(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AppError('invalid', `${path} is no backup of Docwright, or it was changed`, { cause })
  }
}

function headOf(path: string, value: unknown): BackupHead {
  const version = z.object({ format: z.literal('docwright-backup'), version: z.int() }).safeParse(value)
  if (!version.success) throw new AppError('invalid', `${path} is no backup of Docwright`)
  if (version.data.version > formatVersion)
    throw new AppError(
      'conflict',
      `${path} was made by a newer version of Docwright: restore it with that one`,
    )
  const result = head.safeParse(value)
  if (!result.success) throw new AppError('invalid', `${path} has a head that cannot be read`)
  return result.data
}

function lineOf(path: string, value: unknown): BackupLine {
  const result = lineSchema.safeParse(value)
  if (!result.success) throw new AppError('invalid', `${path} has a line that cannot be read`)
  return result.data
}
