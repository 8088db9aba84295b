import type { AsciidocSettings, Family } from '../../asciidoc/settings.ts'
import type { ResourceName } from '../../site.ts'
import { folderOf, joinPath, relativePath } from '../../text/paths.ts'

/** A component of Antora. */
export interface Component {
  name: string
  version: string
  /** The folder of its modules, with a slash at its end. */
  root: string
}

const folders: Readonly<Record<Family, string>> = {
  page: 'pages/',
  partial: 'partials/',
  example: 'examples/',
  image: 'images/',
  attachment: 'attachments/',
}

/** The module of a file and its path in the folder of its family. */
export function placeIn(
  { root }: Component,
  path: string,
): { module: string; family: string; inside: string } | undefined {
  if (!path.startsWith(root)) return undefined
  const [module = '', ...rest] = path.slice(root.length).split('/')
  const [family = '', ...inside] = rest[0] === 'assets' ? rest.slice(1) : rest
  return inside.length === 0 ? undefined : { module, family, inside: inside.join('/') }
}

/** The module that a file belongs to, such as a list of navigation beside the folders of its families. */
function moduleOf({ root }: Component, path: string): string | undefined {
  return path.startsWith(root) ? path.slice(root.length).split('/', 1)[0] : undefined
}

/** The file that a resource's id means: `version@component:module:family$path`. Undefined for one of another component. */
export function resourceFile(component: Component, paths: ReadonlySet<string>): AsciidocSettings['fileOf'] {
  const modules = new Set([...paths].map((path) => moduleOf(component, path)))
  return (from, id, usual) => {
    const at = id.indexOf('@')
    const version = at === -1 ? undefined : id.slice(0, at)
    const parts = id.slice(at + 1).split(':')
    const last = parts.at(-1) ?? ''
    const own = parts.length > 2 ? parts[0] : undefined
    if ((own ?? '') !== '' && own !== component.name) return undefined
    if (version !== undefined && version !== component.version) return undefined
    const place = placeIn(component, from)
    const named = parts.length > 1 ? parts.at(-2) : undefined
    const module =
      named === undefined || named === ''
        ? parts.length > 2
          ? 'ROOT'
          : (moduleOf(component, from) ?? 'ROOT')
        : named
    // Other repositories may hold more modules of a component.
    if (!modules.has(module)) return undefined
    const dollar = last.indexOf('$')
    const family = dollar === -1 ? usual : last.slice(0, dollar)
    const written = last.slice(dollar + 1)
    // The names of pages may lack their ending.
    const name = family === 'page' && !/\.[a-z]\w{0,9}$/i.test(written) ? `${written}.adoc` : written
    const isFamily = (text: string): text is Family => text in folders
    if (!isFamily(family)) return undefined
    const isRelative = /^\.\.?\//.test(name)
    const inside = joinPath(isRelative ? folderOf(place?.inside ?? '') : '', name.replace(/^\/+/, ''))
    if (inside === undefined)
      return `${component.root}${module}/${folders[family]}${name.replace(/^(?:\.\.?\/)+/, '')}`
    const path = `${component.root}${module}/${folders[family]}${inside}`
    const older = `${component.root}${module}/assets/${folders[family]}${inside}`
    return !paths.has(path) && paths.has(older) ? older : path
  }
}

/** The id of a resource on a page, in the style of another id: with its component and version, or from the page's own folder. */
export function resourceId(
  component: Component,
  from: string,
  to: string,
  { target: like, family }: ResourceName,
): string | undefined {
  const place = placeIn(component, to)
  if (place === undefined) return family === 'include' ? relativePath(folderOf(from), to) : undefined
  const named = (Object.keys(folders) as Family[]).find((one) => folders[one] === `${place.family}/`)
  if (named === undefined || (family === 'include' && !like.includes('$')))
    return relativePath(folderOf(from), to, like.startsWith('./'))
  const own = placeIn(component, from)
  const module = moduleOf(component, from)
  const at = like.indexOf('@')
  const parts = like.slice(at + 1).split(':')
  const before = `${like.slice(0, at + 1)}${parts.length > 2 ? `${parts[0] ?? ''}:` : ''}`
  const isUsual = named === (family === 'image' ? 'image' : 'page')
  const written = isUsual && !like.includes('$') ? '' : `${named}$`
  const isShort = before === '' && place.module === module
  if (isShort && /^\.\.?\//.test(parts.at(-1) ?? ''))
    return `${written}${relativePath(folderOf(own?.inside ?? ''), place.inside, true)}`
  const isNamed = !isShort || (parts.length === 2 && parts[0] === module)
  return `${before}${isNamed ? `${place.module}:` : ''}${written}${place.inside}`
}

/** The address of a page: `/component/version/module/path.html`. */
export function addressOf(
  { name, version }: Component,
  { module, inside }: { module: string; inside: string },
): string {
  const folders = [name === 'ROOT' ? '' : name, version, module === 'ROOT' ? '' : module].filter(
    (one) => one !== '',
  )
  return `/${[...folders, inside.replace(/\.adoc$/, '.html')].join('/')}`
}
