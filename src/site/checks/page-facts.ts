import { deserialize, serialize } from 'node:v8'
import { isRecord } from '../../lib/is-record.ts'
import { type FrontMatter, readFrontMatter } from '../markdown/front-matter.ts'
import { mayInclude } from '../includes/read-whole-page.ts'
import { labelsOf } from '../markdown/labels.ts'
import { markupOf } from '../text/markup.ts'
import { asciidocFacts } from '../asciidoc/facts.ts'
import { restructuredFacts } from '../restructured/facts.ts'
import type { PageTargets } from '../restructured/references.ts'
import { type Link, type Unread, extractLinks } from '../markdown/extract-links.ts'
import { type FileReference, fileReferences } from '../pages/file-references.ts'

/** What is known of one page's content. */
export interface PageFacts {
  links: readonly Link[]
  /** How many links were passed over, and why. */
  unread: Readonly<Record<Unread, number>>
  references: readonly FileReference[]
  frontMatter: FrontMatter
  title: string | undefined
  /** Names that other pages can link to: `(label)=`. */
  labels: readonly string[]
  /** Whether it may include other files. */
  mayInclude: boolean
  /** What a page in another markup is called by others. */
  targets?: PageTargets
}

/** @param path by whose ending the markup is known */
export function readFacts(text: string, path = ''): PageFacts {
  const markup = markupOf(path)
  if (markup !== undefined) {
    const { fields, ...facts } = markup === 'asciidoc' ? asciidocFacts(text) : restructuredFacts(text)
    const frontMatter = { data: fields, bodyStart: 0, problem: undefined }
    return { ...facts, unread: { code: 0, expression: 0 }, references: [], frontMatter }
  }
  const frontMatter = readFrontMatter(text)
  const { title } = frontMatter.data
  const unread = { code: 0, expression: 0 }
  return {
    links: extractLinks(text, (why, count) => {
      unread[why] += count
    }),
    unread,
    references: fileReferences(text),
    frontMatter,
    title: typeof title === 'string' && title.trim() !== '' ? title : headingOf(text, frontMatter.bodyStart),
    labels: labelsOf(text),
    mayInclude: mayInclude(text),
  }
}

function headingOf(text: string, bodyStart: number): string | undefined {
  const body = text.slice(bodyStart, bodyStart + 20_000)
  return /^# +(\S[^\n]*)/m
    .exec(body)?.[1]
    ?.replace(/(?<!\s)\s*\{[^{}]*\}\s*$/, '')
    .trim()
}

type PackedLink = [
  Link['kind'],
  string,
  string,
  number,
  number,
  number,
  Pick<Link, 'isRaw' | 'isIndented' | 'definedAs'>?,
]

/** Facts in the form in which they are written: names of fields would be half of it. */
interface PackedFacts extends Omit<PageFacts, 'links' | 'title'> {
  links: PackedLink[]
  title?: string
  /** Base64 of front matter that JSON cannot hold, such as dates of TOML. */
  data?: string
}

export function packFacts({ links, title, frontMatter, ...others }: PageFacts): Buffer {
  const isPlain = isJson(frontMatter.data, deepest)
  const packed: PackedFacts = {
    ...others,
    links: links.map(({ kind, href, text, start, end, line, ...standing }): PackedLink =>
      Object.keys(standing).length > 0
        ? [kind, href, text, start, end, line, standing]
        : [kind, href, text, start, end, line],
    ),
    ...(title !== undefined && { title }),
    frontMatter: isPlain ? frontMatter : { ...frontMatter, data: {} },
    ...(!isPlain && { data: serialize(frontMatter.data).toString('base64') }),
  }
  return Buffer.from(JSON.stringify(packed))
}

export function unpackFacts(bytes: Buffer): PageFacts {
  const { links, title, frontMatter, data, ...others }: PackedFacts = JSON.parse(bytes.toString())
  return {
    ...others,
    links: links.map(([kind, href, text, start, end, line, standing]) => ({
      kind,
      href,
      text,
      start,
      end,
      line,
      ...standing,
    })),
    title,
    frontMatter: {
      data: data === undefined ? frontMatter.data : deserialize(Buffer.from(data, 'base64')),
      bodyStart: frontMatter.bodyStart,
      problem: frontMatter.problem,
    },
  }
}

const deepest = 20

function isJson(value: unknown, depth: number): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (depth === 0) return false
  if (Array.isArray(value)) return value.every((one) => isJson(one, depth - 1))
  if (!isRecord(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== null && prototype !== Object.prototype) return false
  return Object.values(value).every((one) => isJson(one, depth - 1))
}
