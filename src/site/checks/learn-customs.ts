import type { Site } from '../site.ts'
import { createFences } from '../markdown/fence.ts'
import { readLine } from '../markdown/line.ts'
import { folderOf } from '../text/paths.ts'
import { learnOnce, sample } from './learn.ts'

const maxFenced = 150
const maxPlaced = 1000

/** Whether nearly all code blocks of a site say what language they are in. */
export const labelsCode = learnOnce(async (view) => {
  const count = { labelled: 0, bare: 0 }
  const { pages } = await view.site()
  for (const path of sample(pages, maxFenced)) countFences((await view.text(path)) ?? '', count)
  return count.labelled > 1 && count.bare * 50 <= count.labelled
})

function countFences(text: string, count: { labelled: number; bare: number }): void {
  const fences = createFences()
  for (const raw of text.split('\n')) {
    const line = readLine(raw)
    if (fences.inside(line)) continue
    const opened = fences.open(line)
    if (opened) count[opened.info === '' ? 'bare' : 'labelled']++
  }
}

/**
 * Whether the navigation of a site names all pages that readers are meant to find by it. Folders that are mostly
 * outside of it, such as a blog, say nothing.
 */
export const namesAllPages = learnOnce(async (view) => {
  const site = await view.site()
  const folders = new Map<string, { named: number; left: number }>()
  for await (const { path, facts } of view.eachFacts(sample(site.pages, maxPlaced))) {
    const { data } = facts.frontMatter
    if (!needsNavigation(site, path, data)) continue
    const count = folders.get(folderOf(path)) ?? { named: 0, left: 0 }
    folders.set(folderOf(path), count)
    count[site.pageFor(path, data)?.inNavigation === false ? 'left' : 'named']++
  }
  const inside = [...folders.values()].filter(({ named, left }) => named >= left)
  const sum = (key: 'named' | 'left') => inside.reduce((total, count) => total + count[key], 0)
  return sum('named') > 0 && sum('left') * 50 <= sum('named')
})

/** Whether a page is one that readers find by the navigation. */
export function needsNavigation(site: Site, path: string, data: Readonly<Record<string, unknown>>): boolean {
  if (data['hidden'] === true || data['draft'] === true || data['unlisted'] === true) return false
  return !isHome(site, path) && site.customs.standsAlone?.(data) !== true
}

/**
 * Whether a page is the home page of the site or of one of its languages, which readers find without the
 * navigation.
 */
export function isHome({ root, pageFor }: Site, path: string): boolean {
  const page = pageFor(path)
  if (page === undefined || !path.startsWith(root)) return false
  const folder = folderOf(path.slice(root.length)).replace(/\/$/, '')
  return (
    /^\/(?:index\.html)?$/.test(page.url) ||
    (/\/index\.[^/]+$/.test(path) && folder.toLowerCase() === page.language?.toLowerCase())
  )
}
