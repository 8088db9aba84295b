import type { ReadFile } from '../../files.ts'
import type { AsciidocSettings } from '../../asciidoc/settings.ts'
import { isMarkdown } from '../../links/page-path.ts'
import { isRecord } from '../../../lib/is-record.ts'
import { linkRules, readSettings, settingAt, textAt, textsIn } from '../settings.ts'
import { folderOf, joinPath, resolvePath } from '../../text/paths.ts'
import { asciidocDialect, openAsciidocDialect } from '../dialects.ts'
import type { NavigationPlace } from '../../navigation/navigation-tree.ts'
import type { Found, Framework } from '../../site.ts'
import { antoraNavigation, openAntoraTree } from './navigation.ts'
import { addressOf, type Component, componentsOf, placeIn, resourceFile, resourceId } from './resources.ts'

/** Folders in which a component is no part of the documentation. */
const notTheDocs = /(?:^|\/)(?:node_modules|fixtures?|tests?|__tests__|build|target|\.[^/]+)\//i
const mostComponents = 200

/**
 * Antora's layout, found by `antora.yml` in `base`. All components of the branch are one site, in as many versions as stand beside
 * each other; those on other branches are not read. Antora builds AsciiDoc alone.
 */
export async function antoraSite(
  read: ReadFile,
  { paths, base, config }: Found,
): Promise<Framework | undefined> {
  const configs = [...paths].filter((path) => path.endsWith('/antora.yml') || path === 'antora.yml')
  const others = configs.filter((path) => path !== config && !notTheDocs.test(path))
  const settings = new Map<Component, unknown>()
  for (const path of [config, ...others].slice(0, mostComponents)) {
    const root = `${folderOf(path)}modules/`
    if (![...paths].some((one) => one.startsWith(root) && /^[^/]+\/pages\//.test(one.slice(root.length)))) {
      if (path === config) return undefined
      continue
    }
    const own = await readSettings(read, path)
    settings.set(componentIn(own, root), own)
  }
  const components = componentsOf([...settings.keys()])
  const isSeveral = components.all.length > 1
  const root = isSeveral ? commonFolder(components.all.map((one) => one.root)) : `${base}modules/`
  const playbook = ['antora-playbook.yml', 'site.yml', 'playbook.yml']
    .flatMap((name) => [`${base}${name}`, name])
    .find((path) => paths.has(path))
  const fileOf = resourceFile(components, paths)
  const ofSite =
    playbook === undefined
      ? undefined
      : settingAt(await readSettings(read, playbook), 'asciidoc', 'attributes')
  const attributes = new Map(
    [...settings].map(([one, own]) => [
      one,
      attributesIn([ofSite, settingAt(own, 'asciidoc', 'attributes')]),
    ]),
  )
  const none = new Map<string, { value: string | undefined; isLocked: boolean }>()
  const asciidoc: AsciidocSettings = {
    isPlain: false,
    fileOf,
    configured: (path) => {
      const component = components.of(path)
      return (component && attributes.get(component)) ?? none
    },
    attributesOf: (path) => {
      const component = components.of(path)
      return component === undefined ? {} : attributesOfPage(component, settings.get(component), path)
    },
  }
  const idOf = (from: string, to: string, target = '') => resourceId(components, from, to, { target })
  const places = new Map<string, NavigationPlace>()
  const lists: string[] = []
  const files: string[] = []
  for (const [component, own] of settings) {
    const folder = component.root.slice(0, -'modules/'.length)
    const nav = textsIn(settingAt(own, 'nav')).flatMap((path) => joinPath(folder, path) ?? [])
    const navigation = await antoraNavigation(read, nav, asciidoc)
    lists.push(...nav)
    files.push(...navigation.files)
    const title = isSeveral ? [`${textAt(own, 'title') ?? component.name} ${component.version}`.trim()] : []
    for (const [path, { label, groups }] of navigation.places)
      if (paths.has(path) && !places.has(path)) places.set(path, { label, groups: [...title, ...groups] })
  }
  const placeOf = (path: string) => {
    const component = components.of(path)
    const place = component && placeIn(component, path)
    return place && { component, ...place }
  }
  // Pages and folders that begin with a sign of their own are not published.
  const pageAt = (path: string) => {
    const place = path.endsWith('.adoc') ? placeOf(path) : undefined
    return place?.family === 'pages' && !place.inside.split('/').some((name) => /^[_.]/.test(name))
      ? place
      : undefined
  }
  const isVersioned = new Set(
    components.all
      .filter((one) => components.all.some((other) => other !== one && other.name === one.name))
      .map(({ name }) => name),
  )
  return {
    name: 'antora',
    root,
    configPaths: [
      ...new Set([config, ...others, ...(playbook === undefined ? [] : [playbook]), ...lists, ...files]),
    ],
    navigation: places,
    redirects: new Map(),
    unread: [
      {
        format: 'Markdown, which Antora does not build',
        pages: [...paths].filter((path) => isMarkdown(path, root) && placeOf(path)?.family === 'pages')
          .length,
      },
    ],
    asciidoc,
    openKeys: new Map(files.map((path) => [path, []])),
    openTree: (source) => openAntoraTree(source, files, { fileOf, idOf }),
    aliases: {
      field: 'page-aliases',
      isOptional: false,
      names: {
        nameOf: (path, here) => idOf(here, path) ?? path,
        addressesOf: (here, value) =>
          namesIn(value).flatMap((name) => {
            const place = placeOf(fileOf(here, name, 'page') ?? '')
            return place?.family === 'pages' ? [addressOf(place.component, place)] : []
          }),
      },
    },
    dialectOf: () => (playbook === undefined ? openAsciidocDialect : asciidocDialect),
    identityOf: (path) => {
      const place = placeOf(path)
      return place !== undefined && isVersioned.has(place.component.name)
        ? `${place.component.name}/${path.slice(place.component.root.length)}`
        : path
    },
    pageFor: (path) => {
      const place = pageAt(path)
      if (place === undefined) return undefined
      const { name, version } = place.component
      return {
        url: addressOf(place.component, place),
        language: undefined,
        version: isVersioned.has(name) && version !== '' ? version : undefined,
        navTitle: places.get(path)?.label,
        inNavigation: places.has(path),
        hidden: false,
      }
    },
    links: linkRules({
      forms: ['resource'],
      resource: (from, name, family) => {
        if (name === '') return from
        if (family === 'include' && !name.includes('$')) return resolvePath(folderOf(from), name)
        return fileOf(from, name, family === 'image' ? 'image' : 'page')
      },
      resourceTo: (from, to, like) => resourceId(components, from, to, like),
      mayExist: () => true,
      elsewhere: () => true,
    }),
  }
}

function componentIn(settings: unknown, root: string): Component {
  const version = settingAt(settings, 'version')
  const prerelease = settingAt(settings, 'prerelease')
  return {
    name: textAt(settings, 'name') ?? 'ROOT',
    version:
      typeof version === 'string' && version !== '~'
        ? version
        : typeof version === 'number'
          ? String(version)
          : '',
    isPrerelease: prerelease !== undefined && prerelease !== false,
    root,
  }
}

function attributesOfPage(component: Component, settings: unknown, path: string): Record<string, string> {
  const place = placeIn(component, path)
  return {
    'site-gen': 'antora',
    'site-gen-antora': '',
    env: 'site',
    'env-site': '',
    'page-component-name': component.name,
    'page-component-version': component.version,
    'page-component-title': textAt(settings, 'title') ?? component.name,
    'page-component-display-version': textAt(settings, 'display_version') ?? component.version,
    'page-version': component.version,
    'page-module': place?.module ?? 'ROOT',
    'page-relative': place?.inside ?? '',
    partialsdir: 'partial$',
    examplesdir: 'example$',
    attachmentsdir: '_attachments',
  }
}

/** The folder that holds all of these. */
function commonFolder([first = '', ...others]: readonly string[]): string {
  let folder = first
  while (folder !== '' && !others.every((one) => one.startsWith(folder)))
    folder = folderOf(folder.slice(0, -1))
  return folder
}

/** `page-aliases`: names of pages with commas between them. */
function namesIn(value: unknown): string[] {
  if (typeof value !== 'string') return []
  const names = value.split(',').slice(0, 100)
  return names.map((name) => name.trim()).filter((name) => name !== '')
}

/** Attributes of a configuration: `@` behind a value lets pages set another one. Later ones count. */
function attributesIn(
  all: readonly unknown[],
): Map<string, { value: string | undefined; isLocked: boolean }> {
  const attributes = new Map<string, { value: string | undefined; isLocked: boolean }>()
  for (const one of all)
    for (const [name, value] of Object.entries(isRecord(one) ? one : {}).slice(0, 500)) {
      const text =
        typeof value === 'string' || typeof value === 'number'
          ? String(value)
          : value === true
            ? ''
            : undefined
      const isSoft = text?.endsWith('@') === true || value === false
      attributes.set(name.toLowerCase(), { value: isSoft ? text?.slice(0, -1) : text, isLocked: !isSoft })
    }
  return attributes
}
