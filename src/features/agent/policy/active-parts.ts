import { contentHash } from '../../../site/text/content-hash.ts'
import type { ActivePart } from './active-part.ts'
import { asleepTest } from './asleep.ts'
import { attributeLists } from './attribute-lists.ts'
import { dataParts } from './data-parts.ts'
import { fenceParts, spanParts } from './fence-parts.ts'
import { frontMatterParts } from './front-matter-parts.ts'
import { hiddenParts } from './hidden-parts.ts'
import { includeParts } from './include-parts.ts'
import { linkParts } from './link-parts.ts'
import { type Dialect, liveText } from './live-text.ts'
import { asciidocParts, restructuredParts } from './other-markup.ts'
import { pythonParts } from './python-parts.ts'
import { parseCode } from './parse-code.ts'
import { programParts } from './program-parts.ts'
import { readTags } from './read-tags.ts'
import { attributeListParts, tagParts } from './tag-parts.ts'
import { directiveParts, hiddenMustacheParts, mustacheParts, templateParts } from './template-parts.ts'

type Part = Omit<ActivePart, 'line'> & { at: number }

/** How a site reads a page. */
export interface PageDialect extends Dialect {
  templates: 'none' | 'live' | 'whole'
  /** Of a page that is MDX: it may be plain Markdown as well. */
  either?: boolean
}

// Texts are taken into pages by snippets.
const markup = /\.(?:md|mdx|markdown|mdown|svg|html?|vue|astro|txt|csv)$/i
const maxParts = 20_000
const data = /\.(?:jsonc?|ya?ml)$/i

interface Reading {
  dialect: PageDialect
  isFile: (path: string) => boolean
  /** Only what is alive for every reader counts. */
  isSure?: boolean
}

/** Everything in a file that runs, loads or includes something when the site is built or read. */
export async function activeParts(path: string, given: string, reading: Reading): Promise<ActivePart[]> {
  // To Markdown and YAML it ends a line.
  const text = given.replaceAll(/\r(?!\n)/g, '\n')
  const found = await partsOf(path, text, reading)
  return found === undefined || found.length > maxParts ? [tooMuch(text)] : withLines(text, found)
}

async function partsOf(path: string, text: string, reading: Reading): Promise<Part[] | undefined> {
  const { isFile } = reading
  if (data.test(path)) {
    const found = await dataParts(path, text, isFile)
    // Of all pages of a folder.
    const front = /(?:^|\/)\.meta\.ya?ml$/i.test(path)
      ? await frontMatterParts(`---\n${text}\n---\n`)
      : undefined
    return found && [...found, ...(front?.parts ?? []), ...hiddenParts(text)]
  }
  if (/\.rst$/i.test(path))
    return [...restructuredParts(text), ...includeParts(text, isFile), ...hiddenParts(text)]
  if (/\.adoc$/i.test(path))
    return [...asciidocParts(text), ...includeParts(text, isFile), ...hiddenParts(text)]
  if (!markup.test(path)) return []
  const front = await frontMatterParts(text)
  const { dialect } = reading
  const dialects = [dialect]
  if (dialect.mdx && (dialect.either === true || front.isMarkdown)) dialects.push({ ...dialect, mdx: false })
  const parts = [...front.parts, ...includeParts(text, isFile), ...hiddenParts(text)]
  for (const one of dialects) {
    const found = await pageParts(text, front.end, { ...reading, dialect: one })
    if (found === undefined || found.length > maxParts) return undefined
    for (const part of found) parts.push(part)
  }
  return parts
}

async function pageParts(
  text: string,
  frontEnd: number,
  { dialect, isFile, isSure = false }: Reading,
): Promise<Part[] | undefined> {
  // Front matter is no code of the page, and no parser's matter.
  const blanked = text.slice(0, frontEnd).replaceAll(/[^\n]/g, ' ')
  const code = parseCode(blanked + text.slice(frontEnd), dialect.mdx ? 'mdx' : 'markdown')
  const live = liveText(text, dialect, isSure ? undefined : code)
  const tags = live === undefined ? undefined : readTags(live, { braces: dialect.mdx })
  const lists = live === undefined || dialect.mdx ? [] : attributeLists(live)
  if (live === undefined || tags === undefined || lists === undefined) return undefined
  const isAsleep = asleepTest(live, {
    tags,
    mdx: dialect.mdx,
    from: frontEnd,
    parsed: dialect.python ? undefined : code,
  })
  const parts: Part[] = [
    ...fenceParts(text),
    ...(dialect.mdx ? [] : spanParts(text)),
    ...(dialect.python ? pythonParts(live) : []),
    ...tagParts(live, tags, dialect),
    ...linkParts(live),
    ...attributeListParts(lists, dialect),
    ...(dialect.mdx ? await programParts(blanked + live.slice(frontEnd), { isFile }) : []),
    ...(dialect.vue ? [...(await mustacheParts(live)), ...(await directiveParts([...tags, ...lists]))] : []),
  ].map((part) => (isAsleep(part.at) ? { ...part, isAsleep: true } : part))
  // Templates run in comments as well.
  const called =
    dialect.templates === 'none' ? [] : templateParts(dialect.templates === 'whole' ? text : live)
  return [...parts, ...called, ...(dialect.vue ? await hiddenMustacheParts(live) : [])]
}

/** Never the same for another text, so that it is never old. */
function tooMuch(text: string): ActivePart {
  const key = `markup ${contentHash(Buffer.from(text))}`
  return { key, line: 1, what: 'more markup and code than can be judged', search: '' }
}

function withLines(text: string, parts: readonly Part[]): ActivePart[] {
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
