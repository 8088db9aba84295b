import { parse } from 'yaml'
import { isHostileYaml } from '../../../lib/hostile-yaml.ts'
import { decodeText } from '../../../site/text/encoding.ts'
import { findFrontMatter } from './find-front-matter.ts'
import { readJson } from './read-json.ts'

const page = /\.(?:md|mdx|markdown|mdown|rst|adoc|txt)$/i
const plain = /^[ \t]*["']?(?:docwright|ai)["']?[ \t]*[:=][ \t]*["']?(?:false|no|off)\b/im

/**
 * Whether a page says that no agent may change it: `docwright: false` or `ai: false` in its front matter. A doubt
 * counts as yes.
 */
export function optsOut(path: string, content: Uint8Array | undefined): boolean {
  if (content === undefined || !page.test(path)) return false
  const text = (decodeText(content.subarray(0, 128 * 1024))?.text ?? '').replaceAll(/\r\n?/g, '\n')
  return (findFrontMatter(text)?.sources ?? []).some(({ source, kind }) => {
    if (plain.test(source)) return true
    if (kind === 'toml' || isHostileYaml(source)) return false
    try {
      const data: unknown =
        kind === 'json'
          ? readJson(source)
          : parse(source, { logLevel: 'silent', maxAliasCount: 20, uniqueKeys: false, merge: true })
      if (typeof data !== 'object' || data === null) return false
      return Object.entries(data).some(([key, value]) => /^(?:docwright|ai)$/i.test(key) && value === false)
    } catch {
      return false
    }
  })
}
