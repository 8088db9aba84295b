import { openNavigation } from '../../frameworks/open-navigation.ts'
import type { FrontMatter } from '../../markdown/front-matter.ts'
import { short } from '../problem.ts'
import type { SiteView } from '../site-view.ts'
import type { SiteProblem } from './site-problem.ts'

/** The share of pages with a description from which on the others count as lacking one. */
const usual = 0.25

interface ReadPage {
  path: string
  title: string | undefined
  description: string | undefined
}

/** The pages that readers find, so those that are not hidden, with what front matter says about them. */
async function readPages(view: SiteView): Promise<ReadPage[]> {
  const site = await view.site()
  const pages: ReadPage[] = []
  for await (const { path, facts } of view.eachFacts(site.pages)) {
    const { data } = facts.frontMatter
    const page = site.pageFor(path, data)
    if (page === undefined || page.hidden) continue
    pages.push({ path, title: facts.title ?? page.navTitle, description: textOf(data, 'description') })
  }
  return pages
}

/** Pages without a title, and, where a site describes its pages, those without a description. */
export async function findUndescribed(view: SiteView): Promise<SiteProblem[]> {
  const pages = await readPages(view)
  const untitled = pages.filter(({ title }) => title === undefined || title.trim() === '')
  const described = pages.filter(({ description }) => description !== undefined)
  const undescribed =
    described.length >= pages.length * usual
      ? pages.filter(({ description }) => description === undefined)
      : []
  return [
    ...untitled.map(({ path }) => ({
      kind: 'title' as const,
      path,
      line: 1,
      message: 'The page has neither a title nor a first heading',
    })),
    ...undescribed.map(({ path }) => ({
      kind: 'description' as const,
      path,
      line: 1,
      message: 'Missing description. Most pages on this site have one',
    })),
  ]
}

/** Pages that no entry of the navigation names, where the site has a navigation that names its pages. */
export async function findOutsideNavigation(view: SiteView): Promise<SiteProblem[]> {
  const site = await view.site()
  const navigation = await openNavigation(view).catch(() => undefined)
  if (!navigation?.entries.some(({ path }) => path !== undefined)) return []
  const outside: SiteProblem[] = []
  for await (const { path, facts } of view.eachFacts(site.pages)) {
    const page = site.pageFor(path, facts.frontMatter.data)
    // Some sites hide every page that no entry names, and only a page that says so itself is meant to be hidden. The
    // front page is reached by the site's name.
    const isMeant = facts.frontMatter.data['hidden'] === true || page?.url === '/'
    if (page === undefined || page.inNavigation || isMeant) continue
    outside.push({
      kind: 'outside_navigation',
      path,
      line: 1,
      message: 'This page isn’t in the navigation',
    })
  }
  return outside
}

/** Pages that claim one address, and pages of one folder with the same title or the same description. */
export async function findDuplicates(view: SiteView): Promise<SiteProblem[]> {
  const { collisions } = await view.site()
  const addresses = collisions.flatMap(({ url, paths: [first = '', ...others] }) =>
    others.map((path) => duplicate(path, `The page claims the address ${short(url)}, which ${first} has`)),
  )
  const pages = await readPages(view)
  const repeated = (['title', 'description'] as const).flatMap((field) =>
    [...Map.groupBy(pages, (page) => keyOf(page, field))].flatMap(([key, [first, ...others]]) =>
      key === undefined || first === undefined
        ? []
        : others.map((page) =>
            duplicate(
              page.path,
              `The page has the same ${field} as ${first.path}: ${short(page[field] ?? '', 100)}`,
            ),
          ),
    ),
  )
  return [...addresses, ...repeated]
}

// Languages and versions lie in folders of their own, and repeat their pages.
function keyOf(page: ReadPage, field: 'title' | 'description'): string | undefined {
  const text = page[field]?.trim().toLowerCase()
  if (text === undefined || text === '') return undefined
  return `${page.path.slice(0, page.path.lastIndexOf('/') + 1)}\n${text}`
}

function duplicate(path: string, message: string): SiteProblem {
  return { kind: 'duplicate', path, line: 1, message }
}

function textOf(data: FrontMatter['data'], name: string): string | undefined {
  const value = data[name]
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}
