import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { SiteView } from '../../src/site/checks/site-view.ts'
import { readFrontMatter } from '../../src/site/markdown/front-matter.ts'
import { createSite } from '../../src/site/frameworks/create-site.ts'
import type { PageNames, Site } from '../../src/site/site.ts'
import { navigationDifferences } from './compare-navigation.ts'
import { readWholePage, textOfPage } from '../../src/site/includes/read-whole-page.ts'
import { anchorsOf, parsePage } from '../../src/site/pages/parse-page.ts'

/** What a generator made of one of the small sites. */
export const recording = z.object({
  /** Its folder in `sites/`. */
  site: z.string(),
  generator: z.string(),
  version: z.string(),
  /** Below which path it was built; addresses are without it. */
  base: z.string(),
  pages: z.array(
    z.object({
      address: z.string(),
      /** Level and id; null for a heading without one. */
      headings: z.array(z.tuple([z.number(), z.string().nullable()])),
      /** Of everything else. */
      ids: z.array(z.string()),
      /** Links that lead nowhere on the built site. */
      dead: z.array(z.string()),
    }),
  ),
  /** The addresses of each sidebar that is no part of another one, in order. */
  sidebars: z.array(z.array(z.string())),
})

export type Recording = z.infer<typeof recording>

/** Where our reading of a site differs from what its generator made of it, in words, sorted. */
export async function differencesFrom(recorded: Recording, folder: string): Promise<string[]> {
  const view = await viewOf(folder, recorded.generator)
  const site = await view.site()
  const built = new Map(recorded.pages.map((page) => [keyOf(page.address), page]))
  const differences = new Set<string>()
  for (const path of site.pages) {
    const source = (await view.text(path)) ?? ''
    const whole = await readWholePage(site, path, source, (one) => view.text(one))
    const page = parsePage(site, path, textOfPage(whole))
    if (page === undefined) continue
    const other = built.get(keyOf(page.url))
    built.delete(keyOf(page.url))
    if (other === undefined) {
      if (page.hidden !== true) differences.add(`${page.url} is no page`)
      continue
    }
    const own = page.sections.flatMap(({ anchor, headings }) => (headings.length > 0 ? (anchor ?? []) : []))
    const ids = idsOf(other)
    for (const id of own) if (!ids.has(id)) differences.add(`${page.url}#${id} is no id`)
    // A heading that a label stands above has two ids: one is cited, and links may name both.
    const names = new Set([...own, ...anchorsOf(site, path, textOfPage(whole))])
    for (const [level, id] of other.headings)
      if (level > 1 && id !== null && id !== '' && !names.has(id))
        differences.add(`${page.url}#${id} is not known`)
  }
  for (const address of built.keys())
    if (!isMade(site, recorded.base, address)) differences.add(`${address} is not known`)
  const arranged = await withNames(site, view)
  for (const difference of navigationDifferences(recorded, arranged, keyOf)) differences.add(difference)
  return [...differences].sort()
}

/** Whether links may name an address that no file has: a list that the generator makes, a document in a format that is not read. */
function isMade({ pages: [from], resolveLink }: Site, base: string, address: string): boolean {
  return from !== undefined && resolveLink(from, `${base.replace(/\/$/, '')}${address}`).kind === 'external'
}

function idsOf({ headings, ids }: Recording['pages'][number]): ReadonlySet<string | null> {
  return new Set([...headings.map(([, id]) => id), ...ids])
}

/** What says which generator builds a site, where two read its configuration. */
const builtBy: Readonly<Record<string, string>> = { Zensical: 'zensical\n' }

/** The files of a folder, as the checks read a repository. */
export async function viewOf(folder: string, generator = ''): Promise<SiteView> {
  const requirements = builtBy[generator]
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
  if (requirements !== undefined) paths.push('requirements.txt')
  const read = (path: string) =>
    Promise.resolve(
      path === 'requirements.txt' && requirements !== undefined
        ? new TextEncoder().encode(requirements)
        : readFileSync(join(folder, path)),
    )
  return new SiteView({
    files: {
      revision: 0,
      list: () => paths.map((path) => ({ path, oid: path })),
      read,
      readSome: (some) => Promise.all(some.map(read)),
    },
    root: '',
  })
}

/** The site as it is once all pages were read, as the index makes it: then the order of pages is known. */
async function withNames({ pages, needs }: Site, view: SiteView): Promise<Site> {
  const names = new Map<string, PageNames>()
  for (const path of pages) {
    const { data } = readFrontMatter((await view.text(path)) ?? '')
    const wanted = [...needs.fields, ...needs.shown].filter((field) => field in data)
    names.set(path, { data: Object.fromEntries(wanted.map((field) => [field, data[field]])), labels: [] })
  }
  return createSite((path) => view.text(path), { paths: view.oids().keys(), root: '', names })
}

/** Servers find a page with and without the name of its file. */
export function keyOf(url: string): string {
  return url
    .replace(/\/index\.html$/, '/')
    .replace(/\.html$/, '')
    .replace(/(?<=.)\/$/, '')
}
