/**
 * How long pages of each markup take to read for the index, as many times as those of the first folder: the names that pages
 * are called by, their text as Markdown, and its sections. All folders are read in one process, in turns, and CPU time is counted.
 *
 *   node bench/markups.ts MARKDOWN-FOLDER[:docs] RST-FOLDER[:docs] ADOC-FOLDER[:docs] [--rounds 5]
 */
import { readFileSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { readWholePage, textOfPage } from '../src/site/includes/read-whole-page.ts'
import { siteWithNames } from '../src/site/includes/site-with-names.ts'
import { parsePage } from '../src/site/pages/parse-page.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '5' } },
})

const folders = positionals.map((one) => {
  const [folder = '', root = ''] = one.split(':')
  const files = new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !path.includes('/.git/'))
      .map((path) => [path.slice(join(folder, '/').length), path] as const),
  )
  const texts = new Map<string, string | undefined>()
  const read = (path: string): Promise<string | undefined> => {
    const file = files.get(path)
    if (file !== undefined && !texts.has(path)) texts.set(path, readFileSync(file, 'utf8'))
    return Promise.resolve(texts.get(path))
  }
  return { name: basename(folder), paths: [...files.keys()], root, read, rounds: [] as number[][] }
})

/** The first round warms up. */
for (let round = 0; round <= Number(values.rounds); round++)
  for (const { paths, root, read, rounds } of folders) {
    const times = [process.cpuUsage()]
    const site = await siteWithNames(read, { paths, root })
    times.push(process.cpuUsage())
    let characters = 0
    const pages: [string, string][] = []
    for (const path of site.pages) {
      const source = (await read(path)) ?? ''
      characters += source.length
      pages.push([path, textOfPage(await readWholePage(site, path, source, read))])
    }
    times.push(process.cpuUsage())
    for (const [path, text] of pages) parsePage(site, path, text)
    times.push(process.cpuUsage())
    const spent = times.slice(1).map((one, at) => (one.user - (times[at]?.user ?? 0)) / 1000)
    if (round > 0) rounds.push([site.pages.length, characters / 1000, ...spent])
  }

const median = (numbers: number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0
const figures = folders.map(({ name, rounds }) => {
  const [pages, kilobytes, names, text, sections] = [0, 1, 2, 3, 4].map((at) =>
    median(rounds.map((round) => round[at] ?? 0)),
  ) as [number, number, number, number, number]
  const all = median(rounds.map((round) => round.slice(2).reduce((sum, one) => sum + one, 0)))
  return { name, pages, kilobytes, names, text, sections, all }
})
const [first] = figures
console.table(
  Object.fromEntries(
    figures.map(({ name, pages, kilobytes, names, text, sections, all }) => [
      name,
      {
        pages,
        'KB a page': Math.round((kilobytes / pages) * 10) / 10,
        'names ms': Math.round(names),
        'text ms': Math.round(text),
        'sections ms': Math.round(sections),
        'pages a second': Math.round((pages / all) * 1000),
        'time of a page': ratio(all / pages, (first?.all ?? 0) / (first?.pages ?? 1)),
        'time of a KB': ratio(all / kilobytes, (first?.all ?? 0) / (first?.kilobytes ?? 1)),
      },
    ]),
  ),
)

function ratio(one: number, other: number): number {
  return Math.round((one / other) * 100) / 100
}
