import { parse as parseToml } from 'smol-toml'
import { isRecord } from '../../lib/is-record.ts'
import type { ReadFile } from '../files.ts'

const maxLength = 500_000
const maxRedirects = 10_000
/** Folders whose files a build puts beside its pages. */
const published = ['', 'static/', 'public/', 'docs/', 'docs/static/', 'docs/public/']

/** The files in which the host of a site keeps its redirects, as far as they are in the repository. */
export function hostRedirectFiles(
  paths: ReadonlySet<string>,
  { root, base }: { root: string; base: string },
): string[] {
  const folders = new Set(['', base, root].flatMap((one) => published.map((folder) => `${one}${folder}`)))
  const lists = [...folders].map((folder) => `${folder}_redirects`)
  const settings = [...new Set(['', base])].flatMap((one) => [`${one}netlify.toml`, `${one}vercel.json`])
  return [...lists, ...settings].filter((path) => paths.has(path))
}

/** From address to address, as those files say; what depends on who asks is none. Everything else in them is not read. */
export async function readHostRedirects(
  read: ReadFile,
  files: readonly string[],
): Promise<Map<string, string>> {
  const redirects = new Map<string, string>()
  for (const path of files) {
    const text = (await read(path)) ?? ''
    if (text.length > maxLength) continue
    const entries = path.endsWith('_redirects') ? lineEntries(text) : settingEntries(path, text)
    for (const { from, to, status } of entries) {
      if (redirects.size >= maxRedirects) return redirects
      // Another status shows a page at the address, and one for all addresses says nothing of any.
      if (!/^\/[^:*(]/.test(from) || to === '' || !/^(?:30[1278]|)$/.test(status)) continue
      // The first that fits counts. What a site does not name by `:name` it names by `*`.
      const source = from.replaceAll(/:\w+[*+]?|\(\.\*\)/g, '*')
      const target = to.replace(/:splat|:\w+[*+]?|\$1/, '*')
      if (!redirects.has(source)) redirects.set(source, target)
    }
  }
  return redirects
}

interface HostRedirect {
  from: string
  to: string
  status: string
}

/** Lines as `/old  /new  301`; those with conditions have more in them. */
function lineEntries(text: string): HostRedirect[] {
  return text.split('\n').flatMap((line) => {
    const [from = '', to = '', status = '', ...more] = (line.split('#', 1)[0] ?? '').trim().split(/\s+/)
    return more.length > 0 || /=/.test(`${to}${status}`)
      ? []
      : [{ from, to, status: status.replace('!', '') }]
  })
}

function settingEntries(path: string, text: string): HostRedirect[] {
  const value = parsed(path, text)
  const list: unknown = isRecord(value) ? value['redirects'] : undefined
  if (!Array.isArray(list)) return []
  return list.filter(isRecord).flatMap((entry) => {
    if (['conditions', 'has', 'missing', 'query'].some((key) => key in entry)) return []
    const from: unknown = entry['from'] ?? entry['source']
    const to: unknown = entry['to'] ?? entry['destination']
    const status: unknown = entry['status'] ?? entry['statusCode'] ?? ''
    return typeof from === 'string' && typeof to === 'string' && /^(?:string|number)$/.test(typeof status)
      ? [{ from, to, status: String(status) }]
      : []
  })
}

function parsed(path: string, text: string): unknown {
  try {
    const value: unknown = path.endsWith('.toml') ? parseToml(text) : JSON.parse(text)
    return value
  } catch {
    return undefined
  }
}
