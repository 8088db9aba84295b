import { type CodeList, type CodeName, containerOf, objectSource } from './sidebar.ts'
import { addressOf } from './page-names.ts'
import type { CodeSite, DocsFolder } from './read-navigation.ts'
import { fileName, outerSlashes } from '../text/paths.ts'
import type { Edit } from '../text/text-file.ts'
import { insertChild, objectLike, quoted, usualQuote } from '../navigation/edit-container.ts'

const maxTitle = 200

/** A new entry in the style of `like`; undefined where the list cannot name the page. */
export function entryText(
  page: Target & { title: string | undefined },
  { list, like }: { list: CodeList; like: CodeName | undefined },
  { code, folder }: { code: CodeSite; folder: DocsFolder | undefined },
): ((indent: string) => string) | undefined {
  const { path, text } = list.container.file
  const quote = usualQuote(path, text)
  const form = like?.form ?? code.format.entry.usual
  const model = { text: like?.text ?? '/x', form, base: list.base }
  const bare = { ...model, text: model.text.replace(/[?#].*$/s, '') }
  const below = nameLike(page, bare, { code, folder })
  const written =
    below ?? (list.base === '' ? undefined : nameLike(page, { ...bare, base: '' }, { code, folder }))
  if (written === undefined) return undefined
  const source = like === undefined ? quote : like.file.text.slice(like.node.start, like.node.start + 1)
  const name = quoted(written, source)
  if (form !== 'link' && (like === undefined || like.holder?.child === like.node)) return () => name
  const { labelKey } = code.format.entry
  const nameKey = form === 'id' ? 'id' : form
  const label = quoted(titleOf(page, code), source)
  const sample = like?.holder && objectSource(like.holder.container.file.text, like.holder.child)
  return (indent) => {
    const values = new Map<string, string>()
    for (const property of sample?.properties ?? []) {
      if (property.name === labelKey) values.set(labelKey, label)
      else if (property.name === nameKey) values.set(nameKey, name)
      else if (property.name === 'type') values.set('type', quoted('doc', source))
    }
    const key = (plain: string) => (path.endsWith('.json') ? `"${plain}"` : plain)
    // The list's base is no prefix of the page's address.
    if (below === undefined)
      return `{ ${key(labelKey)}: ${label}, ${key(nameKey)}: ${name}, ${key('base')}: ${quoted('/', source)} }`
    const likeSample = sample && values.has(nameKey) ? objectLike(sample, values, indent) : undefined
    return likeSample ?? `{ ${key(labelKey)}: ${label}, ${key(nameKey)}: ${name} }`
  }
}

/** The label of an entry. */
function titleOf({ title, path }: { title: string | undefined; path: string }, code: CodeSite): string {
  const name = fileName(path).replace(/\.[^.]+$/, '')
  const text = (title ?? name).replace(/\s+/g, ' ').trim().slice(0, maxTitle)
  return code.format.entry.labelOf?.(text) ?? text
}

interface Target {
  path: string
  url: string
  data: Readonly<Record<string, unknown>>
}

interface Context {
  code: CodeSite
  folder: DocsFolder | undefined
  /** The page's path before. */
  old?: string
}

/** Lets an entry name another page; undefined where its sidebar has no names for the page's folder. */
export function renameEdits(page: CodeName, target: Target, context: Context): Edit[] | undefined {
  const { file, node, holder, list } = page
  const { start, end } = node
  const literal = file.text.slice(start, end)
  const name = nameLike(target, page, context)
  if (name !== undefined) return name === page.text ? [] : [{ start, end, text: quoted(name, literal) }]
  if (page.form === 'id' && context.folder !== undefined && !target.path.startsWith(context.folder.path))
    return holder === undefined ? [] : undefined
  const entry = holder?.child
  if (page.base === '' || list === undefined || entry?.type !== 'ObjectExpression') return []
  // The list's base is no prefix of the new address: the entry gets a base of its own.
  const own = nameLike(target, { ...page, base: '' }, context)
  const property = entry.properties.find((one) => one.start <= start && one.end >= end)
  if (own === undefined || property === undefined) return []
  const key = file.path.endsWith('.json') ? '"base"' : 'base'
  return [
    { start, end, text: quoted(own, literal) },
    ...insertChild(containerOf(file, entry), property, () => `${key}: ${quoted('/', literal)}`),
  ]
}

type Like = Pick<CodeName, 'text' | 'form' | 'base'>

/** The name of a page in the style of `like`; undefined where such an entry cannot name it. */
function nameLike(page: Target, like: Like, { code, folder, old }: Context): string | undefined {
  if (like.form === 'id') {
    const { idOf } = code.format
    if (idOf === undefined || folder === undefined || !page.path.startsWith(folder.path)) return undefined
    const idIn = (path: string, withNumbers: boolean) =>
      idOf(path.slice(folder.path.length), page.data, { withNumbers })
    const prefix = /^version-[^/]+\//.exec(like.text)?.[0] ?? ''
    // If the old id has the number prefix of its file, so has the new one.
    const raw = old === undefined ? undefined : idIn(old, true)
    const plain = old === undefined ? undefined : idIn(old, false)
    const isRaw = raw !== undefined && raw !== plain && like.text.slice(prefix.length) === raw
    return `${prefix}${idIn(page.path, isRaw)}`
  }
  const inside = withoutPrefix(page.url, like, code.prefix)
  if (inside === undefined) return undefined
  if (like.form === 'slug') return inside.replace(outerSlashes, '') || 'index'
  return linkLike(inside, like, code)
}

/** Entries leave out the folder of the main language, unless the old link has it. */
function withoutPrefix(url: string, like: Like, prefix: string): string | undefined {
  if (prefix === '' || (like.form === 'link' && addressOf(like)?.startsWith(`${prefix}/`) === true))
    return url
  return url.startsWith(`${prefix}/`) ? url.slice(prefix.length) : undefined
}

function linkLike(url: string, { text, base }: Like, code: CodeSite): string | undefined {
  const [path = ''] = text.split(/[?#]/, 1)
  const suffix = text.slice(path.length)
  const address = code.format.entry.endLike(url.replace(/\.html$/, ''), path)
  if (base !== '') {
    const root = base.startsWith('/') ? base : `/${base}`
    const slash = path.startsWith('/') ? '/' : ''
    const start = root.endsWith('/') ? root : `${root}${slash}`
    const rest = address.slice(start.length)
    if (!address.startsWith(start) || (rest === '' && !root.endsWith('/'))) return undefined
    // An empty text would be no link.
    return `${rest === '' ? '/' : slash}${rest}${suffix}`
  }
  return `${path.startsWith('/') ? address : address.replace(/^\//, '')}${suffix}`
}
