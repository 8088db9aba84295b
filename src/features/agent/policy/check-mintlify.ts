import { decodeText } from '../../../site/text/encoding.ts'
import { isRecord } from '../../../lib/is-record.ts'
import { resolvePath } from '../../../site/text/paths.ts'
import type { BaseSite } from './base-site.ts'
import { guardedJson } from './check-configuration.ts'
import type { FileDifference } from './file-difference.ts'
import type { Violation } from './violation.ts'
import { readJson } from './read-json.ts'

const maxFiles = 100
const maxDepth = 20

/** What the guarded settings of `docs.json` come to be by the files that it takes in. */
export async function mintlifyViolations(
  changes: readonly FileDifference[],
  { configPaths = [], read, begin }: BaseSite,
): Promise<Violation[]> {
  const config = configPaths.find((path) => /(?:^|\/)(?:docs|mint)\.json$/.test(path))
  if (config === undefined || !changes.some(({ path }) => path.endsWith('.json'))) return []
  const after = new Map(changes.map((change) => [change.path, change.after]))
  const named = (readFile: Read) => async (path: string) => {
    const content = await readFile(path)
    return content === undefined || begin?.(path, content) === false ? undefined : content
  }
  const readNow = async (path: string) => (after.has(path) ? after.get(path) : read(path))
  const [old, now] = [await expand(config, named(read)), await expand(config, named(readNow))]
  return guardedJson
    .filter((key) => JSON.stringify(old[key]) !== JSON.stringify(now[key]))
    .map((key) => ({
      code: 'protected',
      path:
        changes.find(({ path }) => path === config)?.path ??
        changes.find(({ path }) => path.endsWith('.json'))?.path ??
        config,
      message: `It would change the setting ${key} of ${config}, which decides what every page loads`,
    }))
}

type Read = (path: string) => Promise<Uint8Array | undefined>

async function expand(config: string, read: Read): Promise<Record<string, unknown>> {
  let files = 0
  const open = async (path: string, depth: number): Promise<unknown> => {
    if (++files > maxFiles) return { tooMany: files }
    const content = await read(path)
    const text = content === undefined ? '' : (decodeText(content)?.text ?? '')
    const value: unknown = readJson(text)
    return visit(value, path, depth)
  }
  const visit = async (value: unknown, path: string, depth: number): Promise<unknown> => {
    if (depth > maxDepth) return value
    if (Array.isArray(value)) return Promise.all(value.map((one) => visit(one, path, depth + 1)))
    if (!isRecord(value)) return value
    const reference = value['$ref']
    const target =
      typeof reference === 'string' && !/^[a-z]+:|^#/i.test(reference)
        ? resolvePath(path.slice(0, Math.max(0, path.lastIndexOf('/'))), reference.replace(/#.*/s, ''))
        : undefined
    const taken = target === undefined || target === path ? undefined : await open(target, depth + 1)
    const own: Record<string, unknown> = {}
    for (const [key, one] of Object.entries(value)) own[key] = await visit(one, path, depth + 1)
    return isRecord(taken) ? { ...taken, ...own } : (taken ?? own)
  }
  const value = await open(config, 0)
  return isRecord(value) ? value : {}
}
