import { isRecord } from '../../../lib/is-record.ts'
import { readText } from '../../../site/text/encoding.ts'
import { isPlainRedirect } from '../../../site/navigation/host-redirects.ts'
import { settingsBut } from './parts/read-data.ts'

const longest = 250_000

/**
 * Why a changed file of a host may not be published: of everything that steers builds and servers in it, only redirects
 * from one address of the site to another one may change.
 */
export function hostRedirectObjection(
  path: string,
  before: Uint8Array | undefined,
  after: Uint8Array,
): string | undefined {
  const [old, now] = [before, after].map((content) => restOf(path, readText(content)))
  return now !== undefined && old === now
    ? undefined
    : 'Only redirects from one URL path of this site to another can be changed in it'
}

/** All but the plain redirects; undefined for a text that cannot be read. */
function restOf(path: string, text: string): string | undefined {
  if (/\.(?:toml|json)$/.test(path)) return settingsBut(path, text, withoutPlain)
  if (text.length > longest) return undefined
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trim())
  return lines.filter((line) => line !== '' && !line.startsWith('#') && !isPlainLine(line)).join('\n')
}

function withoutPlain(data: unknown): unknown {
  if (!isRecord(data)) return undefined
  const { redirects = [], ...others } = data
  return Array.isArray(redirects) ? [others, redirects.filter((one) => !isPlainEntry(one))] : undefined
}

function isPlainLine(line: string): boolean {
  const [from, to, status, ...others] = line.split(/\s+/)
  return others.length === 0 && isPlainRedirect({ from, to, status })
}

function isPlainEntry(entry: unknown): boolean {
  if (!isRecord(entry)) return false
  const { from, to, status, source, destination, permanent, statusCode, ...others } = entry
  if (Object.keys(others).length > 0) return false
  if (source === undefined)
    return (
      [destination, permanent, statusCode].every((one) => one === undefined) &&
      isPlainRedirect({ from, to, status })
    )
  return (
    [from, to, status].every((one) => one === undefined) &&
    (permanent === undefined || typeof permanent === 'boolean') &&
    isPlainRedirect({ from: source, to: destination, status: statusCode })
  )
}
