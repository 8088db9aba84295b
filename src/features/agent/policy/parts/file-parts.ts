import { contentHash } from '../../../../site/text/content-hash.ts'
import { readText } from '../../../../site/text/encoding.ts'
import { readScripts } from './code-parts.ts'
import { bareFieldParts, dataFileParts, frontMatterParts, propsParts } from './data-parts.ts'
import { findFrontMatter } from './read-data.ts'
import { includeParts } from './include-parts.ts'
import { markupParts } from './markup-parts.ts'
import { type Given, pageParts, readingOf } from './page-parts.ts'
import { hiddenParts, hidingTextParts } from './hiding-parts.ts'
import { lineAt, type Part, partOf } from './part.ts'

const maxParts = 20_000
const page = /\.(?:md|mdx|markdown|mdown|rst|adoc)$/i
const data = /\.(?:jsonc?|ya?ml|toml)$/i
/** Files that are code as a whole: a project that allows its agent to write them allows what they do. */
const program =
  /\.(?:css|scss|sass|less|styl|[cm]?[jt]sx?|py|rb|go|rs|java|kt|swift|php|c|h|cpp|cs|sh|bash|zsh|ps1|sql|graphql|gql|proto|lua|r|pl|ini|cfg|conf|properties)$/i

/** Everything in a file that is not known to be inert when the site is built or read. */
export async function fileParts(
  path: string,
  content: Uint8Array,
  given: Omit<Given, 'path' | 'scripts'>,
): Promise<Part[]> {
  if (program.test(path)) return []
  // Either of them ends a line in Markdown and YAML.
  const text = withUsualSigns(readText(content).replaceAll(/\r\n?/g, '\n'), given.dialect)
  const scripts = given.dialect.vue ? await readScripts(text) : undefined
  const of: Omit<Given, 'path'> = { ...given, ...(scripts && { scripts }) }
  const parts = [
    ...hiddenParts(text),
    ...(isDataFile(path, text, given)
      ? dataFileParts(path, text, readingOf({ ...of, path }))
      : textFileParts(path, text, of)),
  ]
  if (parts.length <= maxParts) return parts.toSorted((one, other) => one.line - other.line)
  // Never the same for another text, so that no base knows it.
  const key = `much ${contentHash(Buffer.from(text))}`
  return [{ key, line: 1, what: 'more markup and code than can be judged' }]
}

/** With the signs of templates that a configuration sets written as usual. */
function withUsualSigns(text: string, { signs = [] }: Given['dialect']): string {
  return signs.reduce((plain, [own, usual], index) => {
    // One sign for both ends is the other end every second time.
    const [before, first = ''] = signs[index - 1] ?? []
    const [after] = signs[index + 1] ?? []
    if (own !== before && own !== after) return plain.replaceAll(own, usual)
    if (own === before) return plain
    const [, last = first] = signs[index + 1] ?? []
    let count = 0
    return plain.replaceAll(own, () => (count++ % 2 === 0 ? usual : last))
  }, text)
}

/** Generators that run templates over pages take a file of data with front matter for a page. */
function isDataFile(path: string, text: string, { dialect }: Pick<Given, 'dialect'>): boolean {
  return data.test(path) && !(/^(?:whole|live)$/.test(dialect.templates) && startsAsPage(text))
}

/** A document of YAML may begin with three dashes as well: front matter ends, and something follows. */
function startsAsPage(text: string): boolean {
  const { end } = /^\uFEFF?---/.test(text) ? (findFrontMatter(text) ?? { end: 0 }) : { end: 0 }
  return (
    end > 0 &&
    text
      .slice(end)
      .replace(/^(?:---|\.\.\.)[^\n]*/, '')
      .trim() !== ''
  )
}

function textFileParts(path: string, text: string, of: Omit<Given, 'path'>): Part[] {
  const { dialect } = of
  const parts = [...includeParts(text, readingOf({ ...of, path })), ...hidingTextParts(text)]
  if (/\.(?:rst|adoc)$/i.test(path) || dialect.markup !== undefined)
    return [...parts, ...markupParts(path, text, readingOf({ ...of, path }))]
  const { scripts: _, ...plain } = of
  if (dialect.python) parts.push(...bareFieldParts(text, readingOf({ ...of, path })))
  if (/\.(?:csv|txt)$/i.test(path)) parts.push(...listParts(path, text))
  if (!dialect.mdx) parts.push(...propsParts(text, readingOf({ ...of, path })))
  const front = frontMatterParts(text, readingOf({ ...plain, path, dialect: { ...dialect, mdx: false } }))
  parts.push(...front.parts)
  const body = text.slice(0, front.end).replaceAll(/[^\n]/g, ' ') + text.slice(front.end)
  // Where the ending of its name decides, only its front matter can say otherwise.
  const isPlain = dialect.detects === true && !/\.mdx$/i.test(path) && !front.mayBeMdx
  const dialects = [{ ...dialect, mdx: dialect.mdx && !isPlain }]
  if (!isPlain && dialect.mdx && (dialect.either === true || front.isMarkdown))
    dialects.push({ ...dialect, mdx: false })
  for (const one of dialects) parts.push(...pageParts(body, { ...of, path, dialect: one }))
  return parts
}

/** Cells that spreadsheets run, and files that only show who owns a site. */
function listParts(path: string, text: string): Part[] {
  if (/(?:^|\/)(?:[\da-f]{8,128}|keybase|[\w-]*verif[\w-]*)\.txt$/i.test(path))
    return [partOf('ownership', 'a sign of who owns the site', text, 1)]
  if (!/\.csv$/i.test(path)) return []
  return [...text.matchAll(/(?:^|[,;\t])\s{0,20}"?([=+@-][^,;\n|(!]{0,1000}[|(!][^,;\n]{0,1000})/gm)].map(
    (match) =>
      partOf('cell', 'a cell that a spreadsheet would run', match[1] ?? '', lineAt(text, match.index)),
  )
}

/** What a part is known by: it is something else in a file of another kind. Hosts are the same anywhere. */
export function nameOf(path: string, key: string): string {
  return `${/^(?:image|frame|host|secret|endpoint) /.test(key) ? 'any' : kindOf(path)} ${key}`
}

/** What names of a file's parts begin with, but for those that are the same anywhere. */
export function kindOf(path: string): 'page' | 'data' | 'text' {
  return page.test(path) ? 'page' : data.test(path) ? 'data' : 'text'
}
