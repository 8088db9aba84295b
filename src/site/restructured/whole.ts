import type { ReadFile } from '../files.ts'
import type { PageLine } from '../pages/page.ts'
import type { KeptReadings } from '../text/kept-readings.ts'
import { expandIncludes } from './expand.ts'
import { type Document, readDocument } from './document.ts'
import { printDocument } from './print.ts'
import type { PrintContext } from './print-inline.ts'
import { fieldsOf } from './facts.ts'
import { type PageTargets, type References, targetsOf } from './references.ts'
import { noSettings, type RestructuredSettings } from './settings.ts'

/** What a page needs to know of its site. */
export interface RestructuredSite {
  root: string
  restructured?: RestructuredSettings | undefined
  references: References
  /** The address of a page. */
  pageFor: (path: string) => { url: string } | undefined
  /** The page that the name of a document means on a page. */
  documentOf: (from: string, name: string) => string | undefined
  /** Pages that were read for their names already. */
  readings?: { restructured: KeptReadings<RestructuredReading> } | undefined
}

/** The lines of a page with those of other files, and its blocks. */
export interface RestructuredReading {
  lines: PageLine[]
  included: ReadonlySet<string>
  document: Document
}

export interface WholeRestructured {
  lines: PageLine[]
  included: string[]
  /** Other pages whose titles it shows. */
  mentions: string[]
}

const maxLength = 4_000_000

/** A page in reStructuredText as Markdown, with the files that it includes; each line with the place that it is made of. */
export async function wholeRestructured(
  site: RestructuredSite,
  path: string,
  source: string,
  read: ReadFile,
): Promise<WholeRestructured> {
  const settings = site.restructured ?? noSettings
  const { lines, included, document } =
    site.readings?.restructured.take(path, source) ?? (await readSource(site, path, source, read))
  const mentions = new Set<string>()
  const noted = <Place extends { path: string }>(place: Place | undefined): Place | undefined => {
    if (place !== undefined && place.path !== path) mentions.add(place.path)
    return place
  }
  const context: PrintContext = {
    path,
    document,
    settings,
    references: {
      ...site.references,
      titleOf: (other) => {
        if (other !== path) mentions.add(other)
        return site.references.titleOf(other)
      },
      label: (name) => noted(site.references.label(name)),
      term: (name) => noted(site.references.term(name)),
      object: (name) => noted(site.references.object(name)),
    },
    urlOf: (other) => site.pageFor(other)?.url,
    documentOf: (name) => site.documentOf(path, name),
    anonymous: { next: 0 },
  }
  const origin = lines[0] ?? { text: '', path, line: 1 }
  const fields = Object.entries(fieldsOf(document.blocks)).filter(
    ([name]) => name === 'nosearch' || name === 'orphan',
  )
  const front = fields.length === 0 ? [] : ['---', ...fields.map(([name]) => `${name}: true`), '---', '']
  return {
    lines: [
      ...front.map((text) => ({ ...origin, text })),
      ...printDocument(context).map(({ text, index }) => ({ ...(lines[index] ?? origin), text })),
    ],
    included: [...included],
    mentions: [...mentions],
  }
}

/** What a page is called by others, with the files that it includes. */
export async function wholeTargets(
  site: Pick<RestructuredSite, 'root' | 'restructured' | 'readings'>,
  path: string,
  source: string,
  read: ReadFile,
): Promise<PageTargets> {
  const reading = await readSource(site, path, source, read)
  site.readings?.restructured.keep(path, source, reading)
  return targetsOf(reading.document)
}

async function readSource(
  { root, restructured }: Pick<RestructuredSite, 'root' | 'restructured'>,
  path: string,
  source: string,
  read: ReadFile,
): Promise<RestructuredReading> {
  const { lines, included } = await expandIncludes({ path, root }, numbered(path, source), read)
  const document = readDocument(
    lines.map(({ text }) => text),
    restructured?.around,
  )
  return { lines, included, document }
}

function numbered(path: string, source: string): PageLine[] {
  const text = source.slice(0, maxLength)
  return (text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text)
    .split('\n')
    .map((text, index) => ({ text, path, line: index + 1 }))
}
