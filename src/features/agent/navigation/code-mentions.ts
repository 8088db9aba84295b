import { lineFinder } from '../text/text-file.ts'

const maxMentions = 20

/** A line of configuration code that names a page; such code is never edited. */
export interface Mention {
  path: string
  line: number
  text: string
}

/** Whether a file is configuration code where a site's navigation may stand. */
export function isSiteCode(path: string): boolean {
  return /(?:^|\/)(?:sidebars?|docusaurus\.config|astro\.config|(?:\.vitepress\/.*))[^/]*\.[cm]?[jt]s$/.test(
    path,
  )
}

/** Where code names one of these addresses or paths as a text of its own. */
export function codeMentions(path: string, source: string, names: readonly string[]): Mention[] {
  const mentions: Mention[] = []
  const lineOf = lineFinder(source)
  const wanted = new Set(names.filter((name) => name.length > 1))
  for (const match of source.slice(0, 1_000_000).matchAll(/(['"`])([^'"`\n]{1,500})\1/g)) {
    const named = (match[2] ?? '').replace(/[?#].*$/, '')
    if (!wanted.has(named) || mentions.length >= maxMentions) continue
    const start = source.lastIndexOf('\n', match.index) + 1
    const text = source.slice(start, start + 200).split('\n', 1)[0] ?? ''
    mentions.push({ path, line: lineOf(match.index), text: text.trim() })
  }
  return mentions
}
