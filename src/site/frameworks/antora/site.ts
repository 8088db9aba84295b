import type { ReadFile } from '../../files.ts'
import type { AsciidocSettings } from '../../asciidoc/settings.ts'
import { isMarkdown } from '../../links/page-path.ts'
import { isRecord } from '../../../lib/is-record.ts'
import { linkRules, readSettings, settingAt, textAt, textsIn } from '../settings.ts'
import { folderOf, joinPath, resolvePath } from '../../text/paths.ts'
import { asciidocDialect, openAsciidocDialect } from '../dialects.ts'
import type { Found, Framework } from '../../site.ts'
import { antoraNavigation, openAntoraTree } from './navigation.ts'
import { addressOf, type Component, placeIn, resourceFile, resourceId } from './resources.ts'

/** Antora's layout, found by `antora.yml` in `base`. Antora builds AsciiDoc alone. */
export async function antoraSite(
  read: ReadFile,
  { paths, base, config }: Found,
): Promise<Framework | undefined> {
  const root = `${base}modules/`
  const pages = [...paths].filter(
    (path) => path.startsWith(root) && /^[^/]+\/pages\//.test(path.slice(root.length)),
  )
  if (pages.length === 0) return undefined
  const settings = await readSettings(read, config)
  const version = settings['version']
  const component: Component = {
    name: textAt(settings, 'name') ?? 'ROOT',
    version:
      typeof version === 'string' && version !== '~'
        ? version
        : typeof version === 'number'
          ? String(version)
          : '',
    root,
  }
  const playbook = ['antora-playbook.yml', 'site.yml', 'playbook.yml']
    .flatMap((name) => [`${base}${name}`, name])
    .find((path) => paths.has(path))
  const fileOf = resourceFile(component, paths)
  const asciidoc: AsciidocSettings = {
    isPlain: false,
    fileOf,
    attributes: attributesIn([
      playbook === undefined
        ? undefined
        : settingAt(await readSettings(read, playbook), 'asciidoc', 'attributes'),
      settingAt(settings, 'asciidoc', 'attributes'),
    ]),
    attributesOf: (path) => {
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
    },
  }
  const idOf = (from: string, to: string, target = '') => resourceId(component, from, to, { target })
  const nav = textsIn(settings['nav']).flatMap((path) => joinPath(base, path) ?? [])
  const navigation = await antoraNavigation(read, nav, asciidoc)
  // Pages and folders that begin with a sign of their own are not published.
  const isPage = (path: string) => {
    const place = placeIn(component, path)
    return (
      path.endsWith('.adoc') &&
      place?.family === 'pages' &&
      !place.inside.split('/').some((name) => /^[_.]/.test(name))
    )
  }
  return {
    name: 'antora',
    root,
    configPaths: [
      ...new Set([config, ...(playbook === undefined ? [] : [playbook]), ...nav, ...navigation.files]),
    ],
    navigation: new Map([...navigation.places].filter(([path]) => paths.has(path))),
    redirects: new Map(),
    unread: [
      {
        format: 'Markdown, which Antora does not build',
        pages: pages.filter((path) => isMarkdown(path, root)).length,
      },
    ],
    asciidoc,
    openKeys: new Map(navigation.files.map((path) => [path, []])),
    openTree: (source) => openAntoraTree(source, navigation.files, { fileOf, idOf }),
    aliases: {
      field: 'page-aliases',
      isOptional: false,
      names: {
        nameOf: (path, here) => idOf(here, path) ?? path,
        addressesOf: (here, value) =>
          namesIn(value).flatMap((name) => {
            const place = placeIn(component, fileOf(here, name, 'page') ?? '')
            return place?.family === 'pages' ? [addressOf(component, place)] : []
          }),
      },
    },
    dialectOf: () => (playbook === undefined ? openAsciidocDialect : asciidocDialect),
    pageFor: (path) => {
      const place = isPage(path) ? placeIn(component, path) : undefined
      if (place === undefined) return undefined
      return {
        url: addressOf(component, place),
        language: undefined,
        version: undefined,
        navTitle: navigation.places.get(path)?.label,
        inNavigation: navigation.places.has(path),
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
      resourceTo: (from, to, like) => resourceId(component, from, to, like),
      mayExist: () => true,
      elsewhere: () => true,
    }),
  }
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
