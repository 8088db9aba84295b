import { appendFile, readFile } from 'node:fs/promises'
import { isRecord } from '../../lib/is-record.ts'

/** Results that are not measured again, by what they were measured of. */
export interface Journal<Result> {
  find(key: string): Result | undefined
  add(key: string, result: Result): Promise<void>
}

/**
 * A file with one result a line, to which new ones are added at once; without a path nothing is kept. A line that was cut when
 * the machine stopped is measured again.
 * @param read a result as it was written; undefined for one that is to be measured again
 */
export async function openJournal<Result>(
  path: string | undefined,
  read: (value: unknown) => Result | undefined,
): Promise<Journal<Result>> {
  if (path === undefined) return { find: () => undefined, add: () => Promise.resolve() }
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const known = new Map<string, Result>()
  for (const line of text.split('\n')) {
    const value = parse(line)
    const result = value && read(value['result'])
    if (typeof value?.['key'] === 'string' && result !== undefined) known.set(value['key'], result)
  }
  if (text !== '' && !text.endsWith('\n')) await appendFile(path, '\n')
  return {
    find: (key) => known.get(key),
    add: (key, result) => appendFile(path, `${JSON.stringify({ key, result })}\n`),
  }
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}
