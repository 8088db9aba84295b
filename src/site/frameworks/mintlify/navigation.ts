import type { ReadFile } from '../../files.ts'
import type { Node } from 'jsonc-parser'
import { quote } from '../../../lib/text/quote.ts'
import { ToolError } from '../../../lib/tool-error.ts'
import type { DescribedPages } from '../../site.ts'
import { readKey } from '../../openapi/operations.ts'
import { isRemote } from '../../openapi/remote.ts'
import { outerSlashes, resolvePath } from '../../text/paths.ts'
import type { Edit } from '../../text/text-file.ts'
import { type JsonConfig, type JsonFile, type JsonValue, readJsonConfig, textOf } from './json-config.ts'
import { container, jsonRedirects, span } from './redirects.ts'
import type {
  Container,
  NavigationTree,
  Owner,
  PageList,
  TreePage,
} from '../../navigation/navigation-tree.ts'

interface Group {
  names: readonly string[]
  language: string | undefined
  version: string | undefined
  hidden: boolean
  /** The descriptions that operations among the pages are taken from. */
  descriptions: readonly Pick<DescribedPages, 'file' | 'folder'>[]
}

export type MintlifyPage = TreePage & Omit<Group, 'names' | 'descriptions'>

export interface MintlifyNavigation {
  pages: readonly MintlifyPage[]
  lists: readonly PageList[]
  languages: ReadonlySet<string>
  mainLanguage: string | undefined
  /** Where pages made from API descriptions may have their addresses. */
  generated: ReadonlySet<string>
  described: readonly DescribedPages[]
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
  'item',
  'items',
]
const nameKeys = ['group', 'tab', 'anchor', 'dropdown', 'product', 'version', 'language', 'item']
/** The folder of pages that are made from an API description, unless another one is given. */
const usualFolder = '/api-reference'
const maxDepth = 60
const maxNodes = 200_000

/** Reads the navigation, whose divisions nest in any order; undefined for a configuration without one. */
export function mintlifyNavigation(
  config: JsonConfig,
  { root, paths }: { root: string; paths: ReadonlySet<string> },
): MintlifyNavigation | undefined {
  const navigation = config.property(config.main, 'navigation')
  if (navigation === undefined) return undefined
  const pages: MintlifyPage[] = []
  const lists: PageList[] = []
  const languages = new Set<string>()
  const generated = new Set<string>()
  const described: DescribedPages[] = []
  let mainLanguage: string | undefined
  const containers = new WeakMap<Node, Container>()
  const containerOf = (file: JsonFile, node: Node): Container => {
    const known = containers.get(node) ?? container(file, node)
    containers.set(node, known)
    return known
  }
  const holderOf = (file: JsonFile, parent: Node, node: Node) => ({
    container: containerOf(file, parent),
    child: span(node),
  })
  /** The entry of the list's group, unless the group has a page of its own. */
  const ownerOf = (file: JsonFile, list: Node): Owner | undefined => {
    const group = list.parent?.parent
    const outer = group?.parent
    if (group === undefined || outer?.type !== 'array' || group.children?.some(isRoot) === true)
      return undefined
    return { holder: holderOf(file, outer, group), owner: ownerOf(file, outer) }
  }
  const add = (
    { file, node }: JsonValue,
    place: Group,
    list: PageList | undefined,
    holder: TreePage['holder'],
  ) => {
    const text = textOf(node) ?? ''
    if (isOperation(text)) generated.add(usualFolder)
    const operation = readKey(text)
    const own = operation?.file === undefined ? undefined : placeOf(operation.file)
    const sources = own === undefined ? place.descriptions : [{ file: own, folder: usualFolder }]
    if (operation !== undefined)
      for (const source of sources)
        described.push({ ...labelsOf(place), ...source, key: operation.key, isMade: true })
    const inside = text.replace(/^\/+/, '').replace(/\.mdx?$/, '')
    const { names, descriptions: _, ...rest } = place
    pages.push({
      ...rest,
      file,
      node: span(node),
      text,
      groups: names,
      holder,
      list,
      path: [`${inside}.mdx`, `${inside}.md`, `${inside}/index.mdx`]
        .map((name) => `${root}${name}`)
        .find((path) => paths.has(path)),
      mustExist: holder !== undefined && !isElsewhere(text),
      isShort: !text.startsWith('/'),
    })
  }
  const filesOf = (source: JsonValue | undefined): string[] =>
    [source, config.property(source, 'source'), ...config.elements(source)].flatMap((one) => {
      const text = textOf(one?.node)
      return text === undefined ? [] : (placeOf(text) ?? [])
    })
  /** The path of a description, or its address on the web. */
  const placeOf = (text: string) =>
    isRemote(text) ? text : isWeb(text) ? undefined : resolvePath(root, text)
  let nodes = 0
  const walkList = (value: JsonValue, place: Group, isPages: boolean, depth: number): void => {
    const own = new Map<Node, PageList>()
    const listOf = ({ file, node }: JsonValue): PageList => {
      const known = own.get(node)
      if (known !== undefined) return known
      const list = { container: containerOf(file, node), names: place.names, owner: ownerOf(file, node) }
      own.set(node, list)
      lists.push(list)
      return list
    }
    if (isPages) listOf(value)
    for (const element of config.elements(value)) {
      const { node } = element
      if (textOf(node) === undefined || node.parent === undefined) walk(element, place, isPages, depth + 1)
      else {
        const list = isPages ? listOf({ ...element, node: node.parent }) : undefined
        add(element, place, list, list && { container: list.container, child: span(node) })
      }
    }
  }
  const walk = (value: JsonValue, place: Group, isPages: boolean, depth: number): void => {
    nodes += 1
    if (depth > maxDepth || nodes > maxNodes) return
    if (value.node.type === 'array') walkList(value, place, isPages, depth)
    if (value.node.type !== 'object') return
    const text = (key: string) => textOf(config.property(value, key)?.node)
    const isTrue = (key: string) => config.property(value, key)?.node.value === true
    const name = nameKeys.map(text).find((one) => one !== undefined)
    const language = text('language')
    if (language !== undefined) languages.add(language)
    if (language !== undefined && isTrue('default')) mainLanguage = language
    const inner: Group = {
      names: name === undefined ? place.names : [...place.names, name],
      language: language ?? place.language,
      version: text('version') ?? place.version,
      hidden: isTrue('hidden') ? !isTrue('searchable') : place.hidden,
      descriptions: place.descriptions,
    }
    for (const key of ['openapi', 'asyncapi', 'graphql', 'sdk']) {
      const source = config.property(value, key)
      if (source === undefined) continue
      const named = textOf(config.property(source, 'directory')?.node)
      const folder = named === undefined ? usualFolder : `/${named.replace(outerSlashes, '')}`
      generated.add(folder)
      if (key !== 'openapi') continue
      // An item's name is a text.
      const isMade = !divisions.some((name) => {
        const division = config.property(value, name)
        return division !== undefined && textOf(division.node) === undefined
      })
      const own = filesOf(source).map((file) => ({ file, folder }))
      for (const one of own) described.push({ ...labelsOf(inner), ...one, key: undefined, isMade })
      if (own.length > 0) inner.descriptions = own
    }
    const home = config.property(value, 'root')
    const property = home?.node.parent
    if (home !== undefined && textOf(home.node) !== undefined && property?.parent !== undefined)
      add(home, inner, undefined, holderOf(home.file, property.parent, property))
    for (const key of divisions) {
      const division = config.property(value, key)
      if (division !== undefined) walk(division, inner, key === 'pages', depth + 1)
    }
  }
  const top = {
    names: [],
    language: undefined,
    version: undefined,
    hidden: false,
    descriptions: [config.main, config.property(config.main, 'api')]
      .flatMap((one) => filesOf(config.property(one, 'openapi')))
      .map((file) => ({ file, folder: usualFolder })),
  }
  walk(navigation, top, navigation.node.type === 'array', 0)
  mainLanguage ??= languages.values().next().value
  return { pages, lists, languages, mainLanguage, generated, described }
}

/** The navigation of `docs.json` or `mint.json`, to be edited. @throws ToolError `unreadable` */
export async function mintlifyTree(
  read: ReadFile,
  { config, ...site }: { config: string; root: string; paths: ReadonlySet<string> },
): Promise<NavigationTree<TreePage, PageList> | undefined> {
  const source = await readJsonConfig(read, config)
  const [broken] = source.broken
  if (broken !== undefined)
    throw new ToolError('unreadable', `${quote(broken)} is not valid JSON: repair it first`)
  const navigation = mintlifyNavigation(source, site)
  if (navigation === undefined || source.main === undefined) return undefined
  const { pages, lists } = navigation
  return {
    pages: [...pages, ...source.files.flatMap(links)],
    lists,
    redirects: jsonRedirects(source, source.main.file),
    scopeOf: () => ({ pages, lists }),
    rename: ({ node, text, path, address }, target): Edit[] => {
      const isLink = path === undefined && address !== undefined
      const named = isLink
        ? `${target.url}${text.slice(address.length)}`
        : written(target.path, text, site.root)
      return [{ ...node, text: JSON.stringify(named) }]
    },
    entry: ({ path }, { like }) => {
      const text = JSON.stringify(written(path, like?.text ?? '', site.root))
      return () => text
    },
    addressKey: (url) => url,
  }
}

/** The name of a page, with a slash and an extension if `like` has them. */
function written(path: string, like: string, root: string): string {
  const inside = path.slice(root.length)
  const text = /\.mdx?$/.test(like) ? inside : inside.replace(/\.mdx?$/, '')
  return like.startsWith('/') ? `/${text}` : text
}

/** The links of the navigation bar, footer and tabs. */
function links(file: JsonFile): TreePage[] {
  const pages: TreePage[] = []
  const visit = (node: Node, depth: number): void => {
    if (depth > maxDepth) return
    const [key, value] = node.type === 'property' ? (node.children ?? []) : []
    const text = key?.value === 'href' || key?.value === 'url' ? textOf(value) : undefined
    if (value !== undefined && text !== undefined) {
      const none = { groups: [], holder: undefined, list: undefined, path: undefined }
      const address = text.replace(/[?#].*$/s, '')
      pages.push({ file, node: span(value), text, ...none, mustExist: false, isShort: true, address })
    }
    for (const child of node.children ?? []) visit(child, depth + 1)
  }
  visit(file.root, 0)
  return pages
}

function isRoot(property: Node): boolean {
  return property.children?.[0]?.value === 'root'
}

/** `GET /pets`: a page that is made from an API operation. */
function isOperation(text: string): boolean {
  return /^(?:[A-Z]{3,7}|webhook)\s/i.test(text)
}

function isWeb(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(text)
}

function labelsOf({ language, version, hidden }: Group): Pick<Group, 'language' | 'version' | 'hidden'> {
  return { language, version, hidden }
}

function isElsewhere(text: string): boolean {
  return isOperation(text) || isWeb(text) || /\.(?:json|ya?ml)\s/.test(text)
}
