import { parse } from 'yaml'
import { isHostileYaml } from '../../../lib/hostile-yaml.ts'
import { decodeText } from '../text/encoding.ts'

const page = /\.(?:md|mdx|markdown|mdown|rst|adoc|txt)$/i
const opening = /^\uFEFF?(?:---|\+\+\+)[ \t]*\r?\n/
const closing = /\r?\n(?:---|\.\.\.|\+\+\+)[ \t]*(?:\r?\n|$)/
const plain = /^[ \t]*["']?(?:docwright|ai)["']?[ \t]*[:=][ \t]*["']?(?:false|no|off)\b/im

/**
 * Whether a page says that no agent may change it: `docwright: false` or `ai: false` in its front matter. A doubt
 * counts as yes.
 */
export function optsOut(path: string, content: Uint8Array | undefined): boolean {
  if (content === undefined || !page.test(path)) return false
  const text = decodeText(content.subarray(0, 128 * 1024))?.text ?? ''
  const start = opening.exec(text)?.[0].length
  if (start === undefined) return false
  // The line end before the first line may be that of the opening.
  const rest = text.slice(start - 1)
  const end = closing.exec(rest)?.index
  if (end === undefined) return false
  const source = rest.slice(0, end)
  if (plain.test(source)) return true
  if (isHostileYaml(source)) return false
  try {
    const data: unknown = parse(source, { logLevel: 'silent', maxAliasCount: 20, uniqueKeys: false })
    if (typeof data !== 'object' || data === null) return false
    return Object.entries(data).some(([key, value]) => /^(?:docwright|ai)$/i.test(key) && value === false)
  } catch {
    return false
  }
}
