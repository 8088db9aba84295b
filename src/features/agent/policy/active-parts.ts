import { contentHash } from '../text/content-hash.ts'
import type { ActivePart } from './active-part.ts'
import { dataParts } from './data-parts.ts'
import { fenceParts } from './fence-parts.ts'
import { frontMatterParts } from './front-matter-parts.ts'
import { includeParts } from './include-parts.ts'
import { linkParts } from './link-parts.ts'
import { type Dialect, liveText } from './live-text.ts'
import { programParts } from './program-parts.ts'
import { readTags } from './read-tags.ts'
import { attributeListParts, tagParts } from './tag-parts.ts'
import { directiveParts, mustacheParts, templateParts } from './template-parts.ts'

/** How a site reads a page. */
export interface PageDialect extends Dialect {
  /** Whether a template language runs over the page: over code blocks as well (`whole`). */
  templates: 'none' | 'live' | 'whole'
}

const markup = /\.(?:md|mdx|markdown|mdown|rst|adoc|svg|html?|vue|astro)$/i
const maxParts = 20_000
const data = /\.(?:jsonc?|ya?ml)$/i

/** Everything in a file that runs, loads or includes something when the site is built or read. */
export async function activeParts(
  path: string,
  text: string,
  { dialect, isFile }: { dialect: PageDialect; isFile: (path: string) => boolean },
): Promise<ActivePart[]> {
  if (data.test(path)) {
    const found = dataParts(text, isFile)
    return found === undefined ? [tooMuch(text)] : withLines(text, found)
  }
  if (!markup.test(path)) return []
  const front = frontMatterParts(text)
  const live = liveText(text, dialect)
  const tags = live === undefined ? undefined : readTags(live, { braces: dialect.mdx })
  if (live === undefined || tags === undefined) return [tooMuch(text)]
  // Front matter is no code of the page.
  const body = text.slice(0, front.end).replaceAll(/[^\n]/g, ' ') + live.slice(front.end)
  const found = [
    ...front.parts,
    ...tagParts(live, tags, dialect),
    ...linkParts(live),
    ...includeParts(text, isFile),
    ...fenceParts(text),
    ...(dialect.mdx ? await programParts(body, { isFile }) : attributeListParts(live)),
    ...(dialect.vue ? [...(await mustacheParts(live)), ...(await directiveParts(tags))] : []),
    ...(dialect.templates === 'none' ? [] : templateParts(dialect.templates === 'whole' ? text : live)),
  ]
  return found.length > maxParts ? [tooMuch(text)] : withLines(text, found)
}

/** Never the same for another text, so that it is never old. */
function tooMuch(text: string): ActivePart {
  const key = `markup ${contentHash(Buffer.from(text))}`
  return { key, line: 1, what: 'more markup and code than can be judged', search: '' }
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
