import { isRecord } from '../../lib/is-record.ts'
import type { Page, PageRules, Section } from './page.ts'
import { storableText } from './decode.ts'
import { readFrontMatter } from '../markdown/front-matter.ts'
import type { Scan } from './dialect.ts'
import { labelsOf } from '../markdown/labels.ts'
import { scan } from './scan.ts'

/** A file of the site as a page, or undefined when the site has no page for it. Never throws on any text. */
export function parsePage(site: PageRules, path: string, source: string): Page | undefined {
  const text = storableText(source)
  const { data, bodyStart } = readFrontMatter(text)
  const entry = site.pageFor(path, data)
  if (!entry) return undefined
  const { sections } = scan(text.slice(bodyStart), site.dialectOf(path))
  const own = titleIn(data)
  const first = sections.find((section) => section.heading?.level === 1)?.heading?.text
  const title = own ?? (first || undefined) ?? entry.navTitle ?? fileTitle(path)
  const page: Page = {
    path,
    url: entry.url,
    title,
    description: words(data['description']) ?? words(data['summary']) ?? words(heroOf(data)['tagline']),
    language: entry.language,
    version: entry.version,
    groups: labelsIn(data, groupFields),
    tags: labelsIn(data, tagFields),
    sections: nest(sections, title, first),
  }
  return entry.hidden ? { ...page, hidden: true } : page
}

/** Every fragment that a link to this page may name, without `#`. Heading ids are made in the style `slugs`. */
export function anchorsOf(
  site: Pick<PageRules, 'dialectOf'>,
  path: string,
  source: string,
  slugs = site.dialectOf(path).slugs,
): Set<string> {
  const { bodyStart } = readFrontMatter(source)
  const { anchors } = scan(source.slice(bodyStart), { ...site.dialectOf(path), slugs })
  for (const label of labelsOf(source)) anchors.add(label)
  return anchors
}

function nest(scanned: Scan['sections'], title: string, first: string | undefined): Section[] {
  const sections: Section[] = []
  const open: { level: number; text: string }[] = []
  let titleSeen = false
  for (const { heading, anchor, text } of scanned) {
    if (!heading) {
      sections.push({ headings: [], anchor: undefined, text })
      continue
    }
    while ((open.at(-1)?.level ?? 0) >= heading.level) open.pop()
    if (!titleSeen && heading.level === 1 && heading.text === first && same(heading.text, title)) {
      titleSeen = true
      const before = sections.at(-1)
      if (before && sections.length === 1 && before.headings.length === 0) {
        before.text = [before.text, text].filter((part) => part !== '').join('\n\n')
      } else sections.push({ headings: [], anchor: undefined, text })
      continue
    }
    open.push(heading)
    sections.push({ headings: open.map((entry) => entry.text), anchor, text })
  }
  if (sections.length > 0 && sections[0]?.text === '' && sections[0].headings.length === 0) sections.shift()
  return sections
}

function same(left: string, right: string): boolean {
  return left.trim().toLowerCase() === right.trim().toLowerCase()
}

function titleIn(data: Readonly<Record<string, unknown>>): string | undefined {
  const title = words(data['title'])
  // Titles are not Markdown, but people write inline code in them; `<pkg>` in `pnpm add <pkg>` is not a tag.
  if (title !== undefined)
    return title
      .replaceAll('`', '')
      .replace(/\\(?=[!-/:-@[-`{-~])/g, '')
      .trim()
  return words(heroOf(data)['name'])
}

/** The head of a home page, whose only words may stand there (VitePress, Starlight). */
function heroOf({ hero }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return isRecord(hero) ? hero : {}
}

function words(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string') return undefined
  const text = value.replace(/\s+/g, ' ').trim()
  return text === '' ? undefined : storableText(text)
}

const groupFields = ['groups', 'group']
/** What frameworks call the tags of a page. */
const tagFields = ['tags', 'tag', 'categories', 'category']
const mostLabels = 50

/** A table `taxonomies` holds the same fields (Zola). */
function labelsIn(data: Readonly<Record<string, unknown>>, fields: readonly string[]): string[] {
  const { taxonomies } = data
  const all = [data, isRecord(taxonomies) ? taxonomies : {}].flatMap((holder) =>
    fields.flatMap((name) => labels(holder[name])),
  )
  return [...new Set(all)].slice(0, mostLabels)
}

function labels(value: unknown): string[] {
  const list: unknown[] = Array.isArray(value) ? value : [value]
  // Docusaurus takes a tag as `{label, permalink}` too.
  return list.flatMap((label) => words(isRecord(label) ? label['label'] : label) ?? [])
}

/** The title of a page that says none itself: the words of its file's name, or of its folder's. */
export function fileTitle(path: string): string {
  const parts = path.split('/')
  const file = (parts.at(-1) ?? path).replace(/\.[^.]+$/, '')
  const name = /^(?:index|readme)$/i.test(file) ? (parts.at(-2) ?? file) : file
  const spaced = name
    .replace(/^\d+[-_.]/, '')
    .replace(/[-_]+/g, ' ')
    .trim()
  return spaced === '' ? name : spaced.charAt(0).toUpperCase() + spaced.slice(1)
}
