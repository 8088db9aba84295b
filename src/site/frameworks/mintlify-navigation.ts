import { isRecord } from '../../lib/is-record.ts'

export interface MintlifyNavigation {
  /** By file path, in reading order. */
  pages: ReadonlyMap<string, NavigationPlace>
  languages: ReadonlySet<string>
  mainLanguage: string | undefined
  /** Where pages made from API descriptions may have their addresses. */
  generated: readonly string[]
}

interface NavigationPlace {
  language: string | undefined
  version: string | undefined
  hidden: boolean
}

const divisions = [
  'languages',
  'versions',
  'products',
  'tabs',
  'anchors',
  'dropdowns',
  'menu',
  'groups',
  'pages',
  'global',
]
/** Where pages go that are made of an API's description, unless it is said otherwise. */
const usualFolder = '/api-reference'
const maxDepth = 40

/** Walks the navigation in all its shapes: they nest in any order, and only language and version mean anything here. */
export function readMintlifyNavigation(
  navigation: unknown,
  site: { paths: ReadonlySet<string>; root: string },
): MintlifyNavigation {
  const pages = new Map<string, NavigationPlace>()
  const languages = new Set<string>()
  const generated = new Set<string>()
  let mainLanguage: string | undefined

  const add = (entry: string, place: NavigationPlace) => {
    if (/^(?:[A-Z]{3,7}|webhook)\s/i.test(entry)) {
      generated.add(usualFolder)
      return
    }
    const inside = entry.replace(/^\/+/, '').replace(/\.mdx?$/, '')
    for (const candidate of [`${inside}.mdx`, `${inside}.md`, `${inside}/index.mdx`]) {
      const path = `${site.root}${candidate}`
      if (!site.paths.has(path)) continue
      if (!pages.has(path)) pages.set(path, place)
      return
    }
  }
  const walk = (value: unknown, place: NavigationPlace, depth: number): void => {
    if (depth > maxDepth) return
    if (typeof value === 'string') {
      add(value, place)
      return
    }
    if (Array.isArray(value)) {
      for (const entry of value) walk(entry, place, depth + 1)
      return
    }
    if (!isRecord(value)) return
    const inner = { ...place }
    if (typeof value['language'] === 'string') {
      inner.language = value['language']
      languages.add(value['language'])
      if (value['default'] === true) mainLanguage = value['language']
    }
    if (typeof value['version'] === 'string') inner.version = value['version']
    if (value['hidden'] === true) inner.hidden = value['searchable'] !== true
    for (const key of ['openapi', 'asyncapi', 'graphql', 'sdk']) {
      if (value[key] === undefined) continue
      const folder = isRecord(value[key]) ? value[key]['directory'] : undefined
      generated.add(typeof folder === 'string' ? `/${folder.replace(/^\/+|(?<!\/)\/+$/g, '')}` : usualFolder)
    }
    if (typeof value['root'] === 'string') add(value['root'], inner)
    for (const key of divisions) if (key in value) walk(value[key], inner, depth + 1)
  }
  walk(navigation, { language: undefined, version: undefined, hidden: false }, 0)
  return {
    pages,
    languages,
    mainLanguage: languages.size === 0 ? undefined : (mainLanguage ?? languages.values().next().value),
    generated: [...generated],
  }
}
