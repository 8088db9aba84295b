import { type Edit, lineFinder } from '../text/text-file.ts'

const maxMentions = 20

/** A line of configuration code that names a page and was not edited with it. */
export interface Mention {
  path: string
  line: number
  text: string
}

/** Whether a file is configuration code where a site's navigation may stand. */
export function isSiteCode(path: string): boolean {
  return (
    /\.[cm]?[jt]s$/.test(path) &&
    /(?:^|\/)(?:(?:sidebars?|docusaurus\.config|astro\.config)[^/]*$|\.vitepress\/)/.test(path)
  )
}

/**
 * String literals that are one of these addresses or paths, except for those that the edits `made` have written.
 */
export function codeMentions(
  path: string,
  source: string,
  { names, made }: { names: readonly string[]; made: readonly Edit[] },
): Mention[] {
  const mentions: Mention[] = []
  const meant = placesOf(made)
  const lineOf = lineFinder(source)
  const wanted = new Set(names.filter((name) => name.length > 1))
  for (const match of source.slice(0, 1_000_000).matchAll(/(['"`])([^'"`\n]{1,500})\1/g)) {
    const named = (match[2] ?? '').replace(/[?#].*/s, '')
    if (!wanted.has(named) || mentions.length >= maxMentions) continue
    if (meant.some(({ start, end }) => match.index >= start && match.index < end)) continue
    const start = source.lastIndexOf('\n', match.index) + 1
    const text = source.slice(start, start + 200).split('\n', 1)[0] ?? ''
    mentions.push({ path, line: lineOf(match.index), text: text.trim() })
  }
  return mentions
}

/** Where the texts of edits are after all of them were made. */
function placesOf(edits: readonly Edit[]): { start: number; end: number }[] {
  let shift = 0
  return [...edits]
    .sort((one, other) => one.start - other.start || one.end - other.end)
    .map(({ start, end, text }) => {
      const place = { start: start + shift, end: start + shift + text.length }
      shift += text.length - (end - start)
      return place
    })
}
