import type { ReadFile } from '../../files.ts'
import { isMarkdown, withoutExtension } from '../../links/page-path.ts'
import { type ListFormat, listNavigation, listTree } from '../../navigation/list-tree.ts'
import { splitHref } from '../../links/href.ts'
import { folderOf, joinPath, relativePath } from '../../text/paths.ts'
import { linkRules, readSettings, settingAt, textAt, textsIn, placesOf } from '../settings.ts'
import { dialects } from '../dialects.ts'
import type { Found, Framework } from '../../site.ts'

const maxNavigations = 20

/**
 * Antora's layout, found by `antora.yml` in `base`, where it has pages in Markdown, or where almost all of the repository
 * is in AsciiDoc. Pages in AsciiDoc are not read, and then there is none.
 */
export async function antoraSite(
  read: ReadFile,
  { paths, base, config }: Found,
): Promise<Framework | undefined> {
  const settings = await readSettings(read, config)
  const root = `${base}modules/`
  const placeOf = (path: string) => {
    if (!isMarkdown(path, root)) return undefined
    const [module, family, ...rest] = path.slice(root.length).split('/')
    return module !== undefined && family === 'pages' ? { module, inside: rest.join('/') } : undefined
  }
  const all = [...paths]
  const isAsciiDoc = () =>
    all.filter((path) => path.endsWith('.adoc')).length > all.filter((path) => isMarkdown(path, '')).length
  if (!all.some((path) => placeOf(path) !== undefined) && !isAsciiDoc()) return undefined
  const name = textAt(settings, 'name') ?? 'ROOT'
  const stated = settingAt(settings, 'version')
  const version = typeof stated === 'string' || typeof stated === 'number' ? String(stated) : undefined
  const isVersioned = version !== undefined && version !== '' && version !== '~'
  const start = [name, version ?? ''].filter((part) => part !== 'ROOT' && part !== '~' && part !== '')
  const urlOf = ({ module, inside }: { module: string; inside: string }) =>
    `/${[...start, ...(module === 'ROOT' ? [] : [module]), `${withoutExtension(inside)}.html`].join('/')}`
  const fileOf = (module: string, text: string): string | undefined => {
    const [, component, other, path = ''] =
      /^(?:[^@:]*@)?(?:([^:]*):(?=[^:]*:))?(?:([^:]*):)?([^#]*)/.exec(text) ?? []
    if (component !== undefined && component !== name) return undefined
    return joinPath(`${root}${other === undefined || other === '' ? module : other}/pages/`, path)
  }
  const moduleOf = (path: string) => path.slice(root.length).split('/', 1)[0] ?? 'ROOT'
  const nameOf = (module: string, path: string): string => {
    const place = placeOf(path)
    if (place === undefined) return relativePath(folderOf(path), path, false)
    return place.module === module ? place.inside : `${place.module}:${place.inside}`
  }
  const formatOf = (file: string): ListFormat => ({
    read: readNavigationLine,
    write: (mark, label, address) => `${mark}xref:${address}[${label.replaceAll(']', '\\]')}]`,
    resolve: (address) => {
      const path = fileOf(moduleOf(file), address)
      // An entry in AsciiDoc is no page here, and not missing either.
      return path !== undefined && isMarkdown(path, '') ? path : undefined
    },
    addressOf: (path, like) => `${nameOf(moduleOf(file), path)}${splitHref(like).suffix}`,
  })
  const files = textsIn(settingAt(settings, 'nav'))
    .flatMap((nav) => joinPath(base, nav) ?? [])
    .slice(0, maxNavigations)
  const isThere = (path: string) => paths.has(path)
  const open = async (readFile: ReadFile) => {
    const listings = []
    for (const path of files) {
      const text = await readFile(path)
      if (text !== undefined) listings.push(listNavigation({ path, text }, formatOf(path), isThere))
    }
    return { pages: listings.flatMap(({ pages }) => pages), lists: listings.flatMap(({ lists }) => lists) }
  }
  const { pages } = await open(read)
  const navigation = placesOf(pages)
  return {
    name: 'antora',
    root,
    configPaths: [config, ...files],
    navigation,
    redirects: new Map(),
    openKeys: new Map(files.map((path) => [path, []])),
    openTree: async (source) => {
      const opened = await open(source.read)
      return opened.lists.length === 0 ? undefined : listTree(opened, formatOf, undefined)
    },
    dialectOf: () => dialects.antora,
    pageFor: (path) => {
      const place = placeOf(path)
      return (
        place && {
          url: urlOf(place),
          language: undefined,
          version: isVersioned ? version : undefined,
          navTitle: navigation.get(path)?.label,
          inNavigation: files.length === 0 || navigation.has(path),
          hidden: false,
        }
      )
    },
    links: linkRules({
      forms: ['resource'],
      resource: (fromPath, text) => fileOf(moduleOf(fromPath), text),
      resourceTo: (fromPath, toPath) => nameOf(moduleOf(fromPath), toPath),
      // Other components of the site are in other repositories.
      mayExist: (url) => !url.startsWith(`/${start.join('/')}/`),
    }),
  }
}

/** `.Group`, `* xref:page.md[Title]`, `** Group without a page` */
function readNavigationLine(line: string): ReturnType<ListFormat['read']> {
  const heading = /^\.([^\s.].*)$/.exec(line)?.[1]
  if (heading !== undefined) return heading.trim()
  const [mark = '', stars = ''] = /^(\*{1,10})[ \t]+/.exec(line) ?? []
  if (mark === '') return undefined
  const rest = line.slice(mark.length)
  const open = rest.indexOf('[')
  if (!rest.startsWith('xref:') || open === -1)
    return { depth: stars.length, at: 0, mark, label: rest.trim(), target: undefined }
  const label = rest.slice(open + 1, rest.lastIndexOf(']'))
  return {
    depth: stars.length,
    at: 0,
    mark,
    label,
    target: { start: mark.length + 5, end: mark.length + open },
  }
}
