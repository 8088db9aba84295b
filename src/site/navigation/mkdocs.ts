import { isSeq } from 'yaml'
import type { Site } from '../frameworks/site.ts'
import { type Edit, lineFinder } from '../text/text-file.ts'
import { type YamlSource as ConfigSource, openYaml, pairOf, scalarEdit } from '../text/yaml-source.ts'
import { ToolError } from '../../lib/tool-error.ts'
import { quote } from '../../lib/quote.ts'
import { type FileEdits, type Navigation, type ReadText, mergeEdits } from './navigation.ts'
import { openFolderFiles } from './mkdocs-folders.ts'
import { redirectEdits, redirectMaps } from './mkdocs-redirects.ts'
import { addEdit, collectNav, removeEdit } from './mkdocs-places.ts'

/** The `nav` of `mkdocs.yml`, or of the file that it inherits from; undefined when the navigation comes from the folders. */
export async function openMkdocs(
  read: ReadText,
  input: { site: Site; paths: ReadonlySet<string>; config: string },
): Promise<Navigation | undefined> {
  const { site, paths } = input
  const files = site.configPaths.filter(
    (path) => !/(?:^|\/)mkdocs\.ya?ml$/.test(path) && path.startsWith(site.root),
  )
  const inFolders = await openFolderFiles(read, { paths, files })
  const sources = await openConfigs(
    read,
    site.configPaths.filter((path) => !files.includes(path)),
  )
  const holder = sources.find((source) => isSeq(pairOf(source.contents, 'nav')?.value))
  const nav = pairOf(holder?.contents, 'nav')?.value
  const redirects = redirectMaps(sources)
  const { pages, sections } = isSeq(nav) ? collectNav(nav) : { pages: [], sections: [] }
  if (pages.length === 0 && inFolders !== undefined) return withRedirects(inFolders, redirects, site.root)
  if (pages.length === 0 && redirects === undefined) return undefined
  const lineOf = lineFinder(holder?.text ?? '')
  const pathOf = (text: string) => `${site.root}${text.replace(/^\.?\//, '')}`
  const inside = (path: string) => path.slice(site.root.length)
  const named = (path: string) => pages.filter((page) => pathOf(page.text) === path)
  const here = (edits: Edit[]): FileEdits[] => (holder === undefined ? [] : [{ path: holder.path, edits }])

  return {
    entries: pages.map((page) => ({
      file: holder?.path ?? input.config,
      line: lineOf(page.scalar.range?.[0] ?? 0),
      text: page.text,
      path: paths.has(pathOf(page.text)) || page.text.endsWith('/') ? pathOf(page.text) : undefined,
      group: page.group,
    })),
    groups: [...new Set(sections.flatMap((section) => section.name ?? []))].slice(0, 100),
    hasRedirects: redirects !== undefined,
    move: ({ from, to, fromUrl, toUrl }) =>
      mergeEdits([
        ...here(named(from).map((page) => scalarEdit(page.scalar, inside(to)))),
        ...(redirects === undefined || fromUrl === toUrl
          ? []
          : [redirectEdits(redirects, { from: inside(from), to: inside(to) })]),
      ]),
    remove: (path) => mergeEdits(here(named(path).map((page) => removeEdit(holder?.text ?? '', page)))),
    add: (page) => {
      if (named(page.path).length > 0) return []
      if (holder === undefined || !isSeq(nav)) {
        throw new ToolError(
          'no_navigation',
          'The navigation is made from the folders: a new page is in it by itself',
        )
      }
      const place = choose(page)
      return mergeEdits(here([addEdit(holder.text, place, { text: inside(page.path), title: page.title })]))
    },
  }

  function choose({
    path,
    group,
    after,
  }: {
    path: string
    group: string | undefined
    after: string | undefined
  }) {
    const hints = { groups: sections.flatMap((section) => section.name ?? []).slice(0, 100) }
    if (after !== undefined) {
      const [page] = named(after)
      if (page !== undefined) return { seq: page.seq, index: page.index }
      if (group === undefined)
        throw new ToolError('no_such_page', `The navigation has no page ${quote(after)}`, hints)
    }
    if (group !== undefined) {
      const wanted = group.trim().toLowerCase()
      const section = sections.find((one) => one.name?.trim().toLowerCase() === wanted)
      if (section === undefined)
        throw new ToolError('no_such_group', `The navigation has no group ${quote(group)}`, hints)
      return { seq: section.seq, index: section.seq.items.length - 1 }
    }
    const folder = path.slice(0, path.lastIndexOf('/') + 1)
    const beside = pages.filter((page) => pathOf(page.text).replace(/(?<![^/])[^/]*$/, '') === folder).at(-1)
    if (beside !== undefined) return { seq: beside.seq, index: beside.index }
    const [top] = sections
    if (sections.length === 1 && top !== undefined) return { seq: top.seq, index: top.seq.items.length - 1 }
    throw new ToolError('group_needed', 'Say in which group of the navigation the page goes', hints)
  }
}

async function openConfigs(read: ReadText, configPaths: readonly string[]): Promise<ConfigSource[]> {
  const sources: ConfigSource[] = []
  for (const path of configPaths.slice(0, 5)) {
    const text = await read(path)
    if (text === undefined) continue
    const document = openYaml(text)
    if (document === undefined)
      throw new ToolError('unreadable', `${quote(path)} is not valid YAML: repair it first`)
    sources.push({ path, text, contents: document.contents })
  }
  return sources
}

function withRedirects(
  navigation: Navigation,
  redirects: ReturnType<typeof redirectMaps>,
  root: string,
): Navigation {
  if (redirects === undefined) return navigation
  return {
    ...navigation,
    hasRedirects: true,
    move: (moved) => [
      ...navigation.move(moved),
      ...(moved.fromUrl === moved.toUrl
        ? []
        : [
            redirectEdits(redirects, {
              from: moved.from.slice(root.length),
              to: moved.to.slice(root.length),
            }),
          ]),
    ],
  }
}
