/**
 * What beginners ask and people paste, by kind: is the right page the first one, or among the first three?
 *
 *   node bench/beginners.ts [--missed] [--only NAME]
 *   node bench/beginners.ts --repository PATH [--root docs] --questions FILE
 *
 * Without options: the small sites in `evals/beginners`, each with its questions beside it, and this product's own
 * documentation. Questions are a file of `docwright eval`, whose `note` names the kind.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { readCases } from '../src/cli/eval/read-cases.ts'
import { buildSegment } from '../src/features/docs/search/build-segment.ts'
import { createIndex, type SearchIndex } from '../src/features/docs/search/search-index.ts'
import { search } from '../src/features/docs/search/search.ts'
import { SiteView } from '../src/site/checks/site-view.ts'
import { readWholePage, textOfPage } from '../src/site/includes/read-whole-page.ts'
import type { Page } from '../src/site/pages/page.ts'
import { parsePage } from '../src/site/pages/parse-page.ts'

const { values: options } = parseArgs({
  options: {
    missed: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    repository: { type: 'string' },
    root: { type: 'string', default: '' },
    questions: { type: 'string' },
    words: { type: 'boolean', default: false },
  },
})
const noted = z.object({ note: z.string() })
const root = join(import.meta.dirname, '..')
const own = join(root, 'evals/beginners')

interface Asked {
  site: string
  kind: string
  question: string
  /** The place of the first right page, from 0; -1 where none was found. */
  place: number
  found: string[]
}

const sites =
  options.repository === undefined
    ? readdirSync(own)
        .filter((name) => name.endsWith('.jsonl'))
        .map((name) => basename(name, '.jsonl'))
        .filter((name) => options.only?.includes(name) ?? true)
        .map((name) => {
          const folder = join(own, name)
          return existsSync(folder)
            ? { name, folder, root: '', questions: join(own, `${name}.jsonl`) }
            : { name, folder: root, root: 'docs/', questions: join(own, `${name}.jsonl`) }
        })
    : [
        {
          name: basename(options.repository),
          folder: options.repository,
          root: options.root,
          questions: options.questions ?? '',
        },
      ]

const asked: Asked[] = []
for (const site of sites) asked.push(...(await ask(site)))
print('site', ({ site }) => site)
print('kind', ({ kind }) => kind)
if (options.missed)
  for (const { site, kind, question, place, found } of asked)
    if (place !== 0)
      console.log(
        `${site}, ${kind}: ${question.replaceAll(/\s+/g, ' ').slice(0, 80)} (${place + 1})\n    ${found.slice(0, 4).join('\n    ')}`,
      )

async function ask(site: (typeof sites)[number]): Promise<Asked[]> {
  const index = await indexOf(site.folder, site.root)
  const file = readFileSync(site.questions, 'utf8')
  const kinds = file.split('\n').flatMap((line) => (line === '' ? [] : [noted.parse(JSON.parse(line)).note]))
  return readCases(file, site.questions).cases.map(({ question, pages, sections }, at) => {
    const wanted = [...pages, ...sections.map((one) => one.replace(/#.*$/, ''))]
    const { hits } = search(index, {
      query: question,
      limit: 20,
      sites: ['https://docs.example.com'],
      without: options.words ? ['vectors'] : [],
    })
    const found = [...new Map(hits.map((hit) => [hit.path, hit])).values()]
    const place = found.findIndex(({ path, url }) => wanted.includes(path) || wanted.includes(url))
    const named = found.map(({ path, title, heading }) => `${path}: ${title} – ${heading ?? ''}`)
    return { site: site.name, kind: kinds[at] ?? '', question, place, found: named }
  })
}

async function indexOf(folder: string, pagesRoot: string): Promise<SearchIndex> {
  const view = await viewOf(folder, pagesRoot)
  const site = await view.site()
  const pages = new Map<string, Page>()
  for (const path of site.pages) {
    const whole = await readWholePage(site, path, (await view.text(path)) ?? '', (one) => view.text(one))
    const page = parsePage(site, path, textOfPage(whole))
    if (page !== undefined && page.hidden !== true) pages.set(path, page)
  }
  return createIndex(
    [buildSegment(pages.values())],
    site.framework === 'markdown' ? [] : [...pages.keys()].slice(0, 30),
  )
}

async function viewOf(folder: string, pagesRoot: string): Promise<SiteView> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile() && !/\/(?:node_modules|\.git)(?:\/|$)/.test(entry.parentPath))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
  const read = (path: string) => Promise.resolve(readFileSync(join(folder, path)))
  return new SiteView({
    files: {
      revision: 0,
      list: () => paths.map((path) => ({ path, oid: path })),
      read,
      readSome: (some) => Promise.all(some.map(read)),
    },
    root: pagesRoot,
  })
}

function print(column: string, keyOf: (one: Asked) => string): void {
  console.log(`\n| ${column} | questions | right page first | among three |\n|---|---|---|---|`)
  for (const [key, group] of [...Map.groupBy(asked, keyOf), ['all', asked] as const]) {
    const within = (most: number): number => group.filter(({ place }) => place >= 0 && place < most).length
    console.log(`| ${key} | ${group.length} | ${within(1)} | ${within(3)} |`)
  }
}
