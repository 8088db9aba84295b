import type { ActivePart } from './active-part.ts'
import { dataParts } from './data-parts.ts'
import { frontMatterParts } from './front-matter-parts.ts'
import { includeParts } from './include-parts.ts'
import { linkParts } from './link-parts.ts'
import { type Dialect, liveText } from './live-text.ts'
import { programParts } from './program-parts.ts'
import { readTags } from './read-tags.ts'
import { attributeListParts, tagParts } from './tag-parts.ts'
import { mustacheParts, templateParts } from './template-parts.ts'

/** How a site reads a page. */
export interface PageDialect extends Dialect {
  /** Whether a template language runs over the page: over code blocks as well (`whole`). */
  templates: 'none' | 'live' | 'whole'
}

const markup = /\.(?:md|mdx|markdown|mdown|rst|adoc|svg|html?|vue|astro)$/i
const data = /\.(?:jsonc?|ya?ml)$/i

/** Everything in a file that runs, loads or includes something when the site is built or read. */
export async function activeParts(
  path: string,
  text: string,
  { dialect, isFile }: { dialect: PageDialect; isFile: (path: string) => boolean },
): Promise<ActivePart[]> {
  if (data.test(path)) return withLines(text, dataParts(text, isFile))
  if (!markup.test(path)) return []
  const { parts, end } = frontMatterParts(text)
  const live = liveText(text, dialect)
  const tags = readTags(live, { braces: dialect.mdx })
  if (tags === undefined)
    return [{ key: 'markup', line: 1, what: 'markup that takes too long to read', search: '' }]
  parts.push(...tagParts(live, tags, dialect), ...linkParts(live), ...includeParts(text, isFile))
  // Front matter is no code of the page.
  const body = text.slice(0, end).replaceAll(/[^\n]/g, ' ') + live.slice(end)
  if (dialect.mdx) parts.push(...(await programParts(body, { isFile })))
  else parts.push(...attributeListParts(live))
  if (dialect.vue) parts.push(...(await mustacheParts(live)))
  if (dialect.templates !== 'none') parts.push(...templateParts(dialect.templates === 'whole' ? text : live))
  return withLines(text, parts)
}

function withLines(
  text: string,
  parts: readonly (Omit<ActivePart, 'line'> & { at: number })[],
): ActivePart[] {
  let line = 1
  let counted = 0
  return parts
    .toSorted((one, other) => one.at - other.at)
    .map(({ at, ...part }) => {
      for (let newline = text.indexOf('\n', counted); newline !== -1 && newline < at;) {
        line++
        counted = newline + 1
        newline = text.indexOf('\n', counted)
      }
      return { ...part, line }
    })
}
