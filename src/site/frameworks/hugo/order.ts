import { type FolderRules, folderWords, orderIn } from '../../navigation/arrange-folders.ts'
import { withoutExtension } from '../../links/page-path.ts'
import type { FrontMatterData } from '../../pages/page.ts'
import { fileName, folderOf } from '../../text/paths.ts'
import { isRecord } from '../../../lib/is-record.ts'
import { type Settings, settingAt, textAt } from '../settings.ts'

/** Fields that may hold the date of a page, the first of them first. */
const dateFields = ['date', 'publishDate', 'pubdate', 'published', 'lastmod', 'modified']

interface Pages {
  paths: ReadonlySet<string>
  dataOf: (path: string) => FrontMatterData
  /** The `_index.md` of each folder that has one. */
  sections: ReadonlyMap<string, string>
  isPage: (path: string) => boolean
  /** Whether a file or a folder is one of the first level. */
  isTop: (path: string) => boolean
  languageOf: (path: string) => string | undefined
  /** The language that is listed first. */
  main: string
  /** The weights that menus of the configuration give to addresses. */
  menu: ReadonlyMap<string, number>
  urlOf: (path: string) => string | undefined
}

/** Hugo's own order: by weight, then the newest first, then by title. Without a weight, a menu says what comes first. */
export function hugoOrder({
  paths,
  dataOf,
  sections,
  isPage,
  isTop,
  languageOf,
  main,
  menu,
  urlOf,
}: Pages): FolderRules {
  const bundle = (folder: string) => (paths.has(`${folder}index.md`) ? `${folder}index.md` : undefined)
  const ownOf = (path: string) => (path.endsWith('/') ? (sections.get(path) ?? bundle(path)) : path)
  const dataFor = (path: string): FrontMatterData => {
    const own = ownOf(path)
    return own === undefined ? {} : dataOf(own)
  }
  let newest: ReadonlyMap<string, number> | undefined
  const timeOf = (path: string): number => {
    const own = ownTime(dataFor(path))
    if (own !== undefined || !path.endsWith('/')) return own ?? -Infinity
    newest ??= newestIn([...paths].filter(isPage), dataOf)
    return newest.get(path) ?? -Infinity
  }
  const titleOf = (path: string, name: string) =>
    shownTitle(dataFor(path)) ?? folderWords(withoutExtension(name))
  // Hugo takes 0 for no weight.
  const weightOf = (path: string) => orderIn(dataFor(path)['weight']) || menuWeight(path)
  const menuWeight = (path: string): number | undefined => {
    const own = menuWeightIn(dataFor(path))
    return own ?? (isTop(path) ? menu.get(urlOf(ownOf(path) ?? `${path}_index.md`) ?? '') : undefined)
  }
  return {
    orderOf: weightOf,
    apart: (path) => {
      const language = languageOf(path)
      return language === main ? undefined : language
    },
    folderAt: (path, name) => ({ label: titleOf(path, name), order: weightOf(path) }),
    isOwn: (path) => /^_?index\.(?:[A-Za-z-]+\.)?md$/.test(fileName(path)),
    // Below the first level, only a page makes a folder a section.
    isOpen: (folder) => !isTop(folder) && ownOf(folder) === undefined,
    compare: (left, right) => {
      const [one, other] = [timeOf(left.path), timeOf(right.path)]
      if (one !== other) return one > other ? -1 : 1
      const [own, another] = [titleOf(left.path, left.name), titleOf(right.path, right.name)]
      // Words in Latin letters come first, which not all languages have so here.
      const isMixed = latin.test(own) !== latin.test(another)
      const language = languageOf(left.path) ?? languageOf(right.path)
      return collatorFor(isMixed ? undefined : language).compare(own, another)
    },
  }
}

const latin = /^[\p{Script=Latin}\p{N}\p{P}\p{Z}]/u

const collators = new Map<string, Intl.Collator>()

/** Each language has an order of its own; what names none that is known is sorted as English. */
function collatorFor(language = 'en'): Intl.Collator {
  const [tag = 'en'] = Intl.Collator.supportedLocalesOf(
    /^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/i.test(language) ? language : 'en',
  )
  const known = collators.get(tag) ?? new Intl.Collator(tag)
  collators.set(tag, known)
  return known
}

/** The weight that a page gives itself in a menu: `menu: {main: {weight: 20}}`. */
function menuWeightIn(data: FrontMatterData): number | undefined {
  for (const menus of [data['menus'], data['menu']])
    for (const entry of isRecord(menus) ? Object.values(menus) : []) {
      const weight = orderIn(settingAt(entry, 'weight'))
      if (weight !== undefined && weight !== 0) return weight
    }
  return undefined
}

/** The places of addresses in the main menu of the configuration, as Hugo sorts it: by weight, then by name. */
export function mainMenu(settings: Settings, language: string): ReadonlyMap<string, number> {
  const menu = [settingAt(settings, 'languages', language), settings]
    .flatMap((holder) => [settingAt(holder, 'menus', 'main'), settingAt(holder, 'menu', 'main')])
    .find((found) => Array.isArray(found))
  const names = collatorFor(language)
  const entries = (Array.isArray(menu) ? menu : [])
    .map((entry: unknown) => ({
      entry,
      name: textAt(entry, 'name') ?? '',
      weight: orderIn(settingAt(entry, 'weight')) || Number.MAX_SAFE_INTEGER,
    }))
    .sort((left, right) => left.weight - right.weight || names.compare(left.name, right.name))
  const below = (parent: string | undefined): typeof entries =>
    entries.filter(({ entry }) => textAt(entry, 'parent') === parent)
  const listed = below(undefined).flatMap((one) => [
    one,
    ...below(textAt(one.entry, 'identifier') ?? one.name),
  ])
  const targets = listed.flatMap(({ entry }) => {
    const target = textAt(entry, 'pageRef') ?? textAt(entry, 'pageref') ?? textAt(entry, 'url') ?? ''
    return /^\/(?!\/)/.test(target) ? [`${target.replace(/\/$/, '')}/`] : []
  })
  return new Map(targets.map((url, at) => [url, at + 1]))
}

/** Fields by which themes leave a page out of the sidebar: of Docsy, Book, Geekdoc and Hextra. */
export function isLeftOut(data: FrontMatterData): boolean {
  const marks = [
    data['toc_hide'],
    data['bookHidden'],
    data['geekdocHidden'],
    settingAt(data['sidebar'], 'exclude'),
  ]
  return marks.includes(true)
}

/** What of the front matter says where the sidebar has a page. */
export const orderFields = [
  'weight',
  'menu',
  'menus',
  'toc_hide',
  'bookHidden',
  'geekdocHidden',
  'sidebar',
  ...dateFields,
]

function shownTitle(data: FrontMatterData): string | undefined {
  return textAt(data, 'linkTitle') ?? textAt(data, 'linktitle') ?? textAt(data, 'title')
}

function ownTime(data: FrontMatterData): number | undefined {
  for (const field of dateFields) {
    const time = timeIn(data[field])
    if (time !== undefined) return time
  }
  return undefined
}

/** Milliseconds; undefined for what is no date. */
export function timeIn(value: unknown): number | undefined {
  const time =
    value instanceof Date ? value.getTime() : typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}

/** The date of a folder that has none is that of its newest page. */
function newestIn(
  pages: readonly string[],
  dataOf: (path: string) => FrontMatterData,
): ReadonlyMap<string, number> {
  const newest = new Map<string, number>()
  for (const path of pages) {
    const time = ownTime(dataOf(path))
    if (time === undefined) continue
    for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder.slice(0, -1)))
      newest.set(folder, Math.max(time, newest.get(folder) ?? -Infinity))
  }
  return newest
}
