import type { ReadFile } from '../files.ts'
import { createSite } from '../frameworks/create-site.ts'
import { markupOf } from '../text/markup.ts'
import { asciidocFacts } from '../asciidoc/facts.ts'
import { type AsciidocReading, asciidocTargets } from '../asciidoc/whole.ts'
import { type RestructuredReading, wholeTargets } from '../restructured/whole.ts'
import type { PageNames, Site } from '../site.ts'
import { keptReadings } from '../text/kept-readings.ts'

/**
 * A site that knows what its pages in other markups call each other: their text has the titles of those that they name. Pages
 * in Markdown are not read.
 * @param input.pages the pages that are read for it; all when not given
 */
export async function siteWithNames(
  read: ReadFile,
  input: { paths: readonly string[]; root: string; pages?: readonly string[] },
): Promise<Site> {
  const readings = {
    asciidoc: keptReadings<AsciidocReading>(),
    restructured: keptReadings<RestructuredReading>(),
  }
  const site = { ...(await createSite(read, input)), readings }
  const names = new Map<string, PageNames>()
  for (const path of input.pages ?? site.pages) {
    const source = markupOf(path) === undefined ? undefined : await read(path)
    if (source === undefined) continue
    const isAsciidoc = markupOf(path) === 'asciidoc'
    const targets = isAsciidoc
      ? await asciidocTargets(site, path, source, read)
      : await wholeTargets(site, path, source, read)
    const fields =
      isAsciidoc && site.needs.fields.some((field) => source.includes(`:${field}:`))
        ? asciidocFacts(source).fields
        : {}
    const needed = site.needs.fields.flatMap((field) => (field in fields ? [[field, fields[field]]] : []))
    names.set(path, {
      data: Object.fromEntries(needed),
      labels: targets.labels.map(([name]) => name),
      targets,
    })
  }
  return names.size === 0 ? site : { ...(await createSite(read, { ...input, names })), readings }
}
