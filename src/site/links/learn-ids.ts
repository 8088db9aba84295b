import type { PageRules } from '../pages/page.ts'
import { type SlugStyle, slugStyles } from '../markdown/slug.ts'

/** What the links of a site show of the ids of its headings, where those are not what its framework makes of them. */
export interface LearnedIds {
  /** The style of all pages; undefined for the framework's own. */
  all?: SlugStyle
  /** Pages with ids of another form: their style, or `unknown` where none explains the links to them. */
  pages: ReadonlyMap<string, SlugStyle | 'unknown'>
}

/** A link to a heading. */
export interface HeadingLink {
  /** The page that it leads to. */
  target: string
  anchor: string
}

/** The fragments of a page in a style, or in the framework's own; undefined for what is no page. */
type AnchorsOf = (path: string, slugs?: SlugStyle) => Promise<ReadonlySet<string> | undefined>

const mostTried = 300
/** From how many links to one page on a form of theirs is the site's own. */
const leastOfForm = 10

export const nothingLearned: LearnedIds = { pages: new Map() }

/** The style of a page's ids; undefined for the framework's own, or for one that no rule explains. */
export function styleOf({ all, pages }: LearnedIds, path: string): SlugStyle | undefined {
  const own = pages.get(path)
  return own === 'unknown' ? undefined : (own ?? all)
}

/** The rules of a site with what was learned of its ids. */
export function withIds(
  { pageFor, dialectOf }: Pick<PageRules, 'pageFor' | 'dialectOf'>,
  ids: LearnedIds,
): PageRules {
  return {
    pageFor,
    dialectOf: (path) => {
      const dialect = dialectOf(path)
      return { ...dialect, slugs: styleOf(ids, path) ?? dialect.slugs }
    },
  }
}

/**
 * Code of a site may make other ids than its framework does. Where most links to headings resolve in one style alone,
 * or ten to one page have a form that hardly ever works, the site follows a rule of its own.
 */
export async function learnIds(links: readonly HeadingLink[], anchorsOf: AnchorsOf): Promise<LearnedIds> {
  const failingOf = async (some: readonly HeadingLink[], slugs: SlugStyle | undefined) => {
    const failing: HeadingLink[] = []
    for (const link of some) {
      const anchors = await anchorsOf(link.target, slugs)
      if (anchors?.has(link.anchor) === false) failing.push(link)
    }
    return failing
  }
  const pages = new Map<string, SlugStyle | 'unknown'>()
  for (const [target, own] of Map.groupBy(links, (link) => link.target)) {
    const tried = own.slice(0, mostTried)
    const failing = own.length < leastOfForm ? [] : await failingOf(tried, undefined)
    if (failing.length < leastOfForm || failing.length * 10 < tried.length * 9) continue
    // A style that explains less than half of them is a coincidence.
    let best: { style: SlugStyle | undefined; failed: number } = {
      style: undefined,
      failed: failing.length / 2,
    }
    for (const style of slugStyles) {
      const failed = (await failingOf(failing, style)).length
      if (failed < best.failed) best = { style, failed }
    }
    const { style } = best
    pages.set(target, style ?? 'unknown')
  }
  const rest = links.filter(({ target }) => !pages.has(target))
  const styles = new Set(pages.values())
  const [shared] = styles
  // Several pages with one form are the site's rule, where the others do not speak against it.
  const isShared = pages.size > 1 && styles.size === 1 && shared !== undefined && shared !== 'unknown'
  const all =
    (await bestStyle(rest.slice(0, mostTried), failingOf)) ??
    (isShared && rest.length === 0 ? shared : undefined)
  return all === undefined ? { pages } : { all, pages }
}

async function bestStyle(
  links: readonly HeadingLink[],
  failingOf: (some: readonly HeadingLink[], slugs: SlugStyle | undefined) => Promise<HeadingLink[]>,
): Promise<SlugStyle | undefined> {
  const own = await failingOf(links, undefined)
  if (own.length < 3) return undefined
  let best: { slugs: SlugStyle | undefined; failed: number } = { slugs: undefined, failed: own.length }
  for (const slugs of slugStyles) {
    // A style that explains less than half of them is a coincidence.
    if ((await failingOf(own, slugs)).length * 2 > own.length) continue
    const failed = (await failingOf(links, slugs)).length
    if (failed * 2 <= own.length && failed < best.failed) best = { slugs, failed }
  }
  return own.length - best.failed < 3 ? undefined : best.slugs
}
