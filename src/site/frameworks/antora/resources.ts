import type { AsciidocSettings, Family } from '../../asciidoc/settings.ts'
import type { ResourceName } from '../../site.ts'
import { folderOf, joinPath, relativePath } from '../../text/paths.ts'

/** A component of Antora. */
export interface Component {
  name: string
  version: string
  isPrerelease: boolean
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

/** The components of a repository, each with its versions. */
export interface Components {
  all: readonly Component[]
  /** The one that a file is in. */
  of: (path: string) => Component | undefined
  /** By name, of a version or the latest. */
  named: (name: string, version: string | undefined) => Component | undefined
}

export function componentsOf(all: readonly Component[]): Components {
  const byName = Map.groupBy(all, ({ name }) => name)
  return {
    all,
    of: (path) => all.find(({ root }) => path.startsWith(root)),
    named: (name, version) => {
      const versions = (byName.get(name) ?? []).toSorted(laterFirst)
      return version === undefined
        ? versions[0]
        : versions.find((one) => one.version === (version === '_' ? '' : version))
    },
  }
}

/** Versions as Antora orders them: one without a number of its own first, what is not released last. */
function laterFirst(one: Component, other: Component): number {
  if (one.isPrerelease !== other.isPrerelease) return one.isPrerelease ? 1 : -1
  return (other.version === '' ? '~' : other.version).localeCompare(
    one.version === '' ? '~' : one.version,
    'en',
    {
      numeric: true,
    },
  )
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
function moduleOf({ root }: Component, path: string): string {
  return path.slice(root.length).split('/', 1)[0] ?? ''
}

/** What an id of a resource says: `version@component:module:family$path`. */
function partsOf(id: string) {
  const at = id.indexOf('@')
  const parts = id.slice(at + 1).split(':')
  const last = parts.at(-1) ?? ''
  const dollar = last.indexOf('$')
  return {
    version: at === -1 ? undefined : id.slice(0, at),
    component: parts.length > 2 && parts[0] !== '' ? parts[0] : undefined,
    module: parts.length > 1 && parts.at(-2) !== '' ? parts.at(-2) : undefined,
    isWhole: parts.length > 2,
    family: dollar === -1 ? undefined : last.slice(0, dollar),
    written: last.slice(dollar + 1),
  }
}

/** The file that a resource's id means. Undefined for one of a component that is not here. */
export function resourceFile(components: Components, paths: ReadonlySet<string>): AsciidocSettings['fileOf'] {
  const modules = new Set<string>()
  for (const path of paths) {
    const component = components.of(path)
    if (component !== undefined) modules.add(component.root + moduleOf(component, path))
  }
  return (from, id, usual) => {
    const own = components.of(from)
    const { version, component: name, module: named, isWhole, family = usual, written } = partsOf(id)
    const isOwn = own !== undefined && version === undefined && (name === undefined || name === own.name)
    const component = isOwn ? own : components.named(name ?? own?.name ?? '', version)
    if (component === undefined) return undefined
    const module = named ?? (isWhole || own === undefined ? 'ROOT' : moduleOf(own, from))
    // Other repositories may hold more modules of a component.
    if (!modules.has(component.root + module)) return undefined
    // The names of pages may lack their ending.
    const file = family === 'page' && !/\.[a-z]\w{0,9}$/i.test(written) ? `${written}.adoc` : written
    const isFamily = (text: string): text is Family => text in folders
    if (!isFamily(family)) return undefined
    const isRelative = /^\.\.?\//.test(file)
    const place = own === undefined ? undefined : placeIn(own, from)
    const inside = joinPath(isRelative ? folderOf(place?.inside ?? '') : '', file.replace(/^\/+/, ''))
    if (inside === undefined)
      return `${component.root}${module}/${folders[family]}${file.replace(/^(?:\.\.?\/)+/, '')}`
    const path = `${component.root}${module}/${folders[family]}${inside}`
    const older = `${component.root}${module}/assets/${folders[family]}${inside}`
    return !paths.has(path) && paths.has(older) ? older : path
  }
}

/** The id of a resource on a page, in the style of another id: with its component and version, or from the page's own folder. */
export function resourceId(
  components: Components,
  from: string,
  to: string,
  { target: like, family }: ResourceName,
): string | undefined {
  const component = components.of(to)
  const place = component && placeIn(component, to)
  if (place === undefined) return family === 'include' ? relativePath(folderOf(from), to) : undefined
  const named = (Object.keys(folders) as Family[]).find((one) => folders[one] === `${place.family}/`)
  if (named === undefined || (family === 'include' && !like.includes('$')))
    return relativePath(folderOf(from), to, like.startsWith('./'))
  const own = components.of(from)
  const module = own === undefined ? undefined : moduleOf(own, from)
  const isUsual = named === (family === 'image' ? 'image' : 'page')
  const written = isUsual && !like.includes('$') ? '' : `${named}$`
  if (component !== own)
    return `${foreignPart(components, component, own, place.module)}${written}${place.inside}`
  const said = partsOf(like)
  const isOwn = (said.component ?? own?.name) === own?.name && (said.version ?? own?.version) === own?.version
  const version = isOwn && said.version !== undefined ? `${said.version}@` : ''
  const before = `${version}${isOwn && said.isWhole ? `${said.component ?? ''}:` : ''}`
  const isShort = before === '' && place.module === module
  if (isShort && /^\.\.?\//.test(said.written))
    return `${written}${relativePath(folderOf(own === undefined ? '' : (placeIn(own, from)?.inside ?? '')), place.inside, true)}`
  const isNamed = !isShort || (!said.isWhole && said.module === module)
  return `${before}${isNamed ? `${place.module}:` : ''}${written}${place.inside}`
}

/** `version@component:module:`, as far as the id of a resource in another component needs it. */
function foreignPart(
  components: Components,
  to: Component | undefined,
  from: Component | undefined,
  module: string,
): string {
  if (to === undefined) return ''
  const isLatest = components.named(to.name, undefined) === to && to.name !== from?.name
  const version = isLatest ? '' : `${to.version === '' ? '_' : to.version}@`
  const name = to.name === from?.name ? '' : `${to.name}:`
  return `${version}${name}${name !== '' && module === 'ROOT' ? '' : module}:`
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
