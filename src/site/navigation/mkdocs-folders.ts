import { isScalar, isSeq } from 'yaml'
import { folderOf } from '../text/paths.ts'
import { lineFinder } from '../text/text-file.ts'
import { type YamlSource, openYaml, pairOf, scalarEdit } from '../text/yaml-source.ts'
import { ToolError } from '../../lib/tool-error.ts'
import { quote } from '../../lib/quote.ts'
import { type NavPage, type NavSection, addEdit, collectNav, removeEdit } from './mkdocs-places.ts'
import { type FileEdits, type Navigation, type ReadText, mergeEdits } from './navigation.ts'

interface FolderFile extends YamlSource {
  folder: string
  pages: NavPage[]
  sections: NavSection[]
}

/** Navigation in a file of each folder, which names the pages and folders beside it: `.pages`, `.nav.yml`. */
export async function openFolderFiles(
  read: ReadText,
  { paths, files }: { paths: ReadonlySet<string>; files: readonly string[] },
): Promise<Navigation | undefined> {
  const opened: FolderFile[] = []
  for (const path of files) {
    const text = await read(path)
    const contents = text === undefined ? undefined : openYaml(text)?.contents
    const nav = pairOf(contents, 'nav')?.value
    if (text === undefined || !isSeq(nav)) continue
    opened.push({ path, text, contents, folder: folderOf(path), ...collectNav(nav) })
  }
  if (opened.length === 0) return undefined
  const fileOf = (path: string) => opened.find(({ folder }) => folder === folderOf(path))
  const named = (path: string) => {
    const file = fileOf(path)
    const name = path.slice(folderOf(path).length)
    return (file?.pages ?? []).flatMap((page) =>
      file !== undefined && page.text.replace(/^\.\//, '') === name ? [{ file, page }] : [],
    )
  }
  const folders = new Set([...paths].map(folderOf))
  const isEntry = (folder: string, text: string) =>
    !/^\.\.\.|[*?]/.test(text) &&
    (text.endsWith('.md') || !folders.has(`${folder}${text.replace(/(?<!\/)\/+$/, '')}/`))

  return {
    entries: opened.flatMap(({ path: file, text: source, folder, pages }) => {
      const lineOf = lineFinder(source)
      return pages.flatMap(({ scalar, text, group }) => {
        if (!isEntry(folder, text)) return []
        const path = `${folder}${text.replace(/^\.\//, '')}`
        const isThere = paths.has(path) || [...folders].some((other) => other.startsWith(`${path}/`))
        return [{ file, line: lineOf(scalar.range?.[0] ?? 0), text, path: isThere ? path : undefined, group }]
      })
    }),
    groups: [...new Set(opened.flatMap(({ sections }) => sections.flatMap(({ name }) => name ?? [])))].slice(
      0,
      100,
    ),
    hasRedirects: false,
    move: ({ from, to }) =>
      mergeEdits(
        named(from).flatMap(({ file, page }): FileEdits[] => {
          const name = to.slice(folderOf(to).length)
          if (folderOf(to) === file.folder)
            return [{ path: file.path, edits: [scalarEdit(page.scalar, name)] }]
          const gone = { path: file.path, edits: [removeEdit(file.text, page)] }
          const target = fileOf(to)
          return target === undefined || isOpen(target)
            ? [gone]
            : [gone, added(target, { name, title: page.title })]
        }),
      ),
    remove: (path) =>
      mergeEdits(
        named(path).map(({ file, page }) => ({ path: file.path, edits: [removeEdit(file.text, page)] })),
      ),
    add: ({ path, title, group, after }) => {
      if (named(path).length > 0) return []
      const file = fileOf(path)
      const name = path.slice(folderOf(path).length)
      if (file === undefined || (isOpen(file) && group === undefined && after === undefined)) {
        throw new ToolError(
          'no_navigation',
          `The folder of ${quote(path)} shows all of its pages: a new page is in the navigation by itself`,
        )
      }
      return [added(file, { name, title, group, after })]
    },
  }

  function added(
    file: FolderFile,
    page: { name: string; title: string | undefined; group?: string | undefined; after?: string | undefined },
  ): FileEdits {
    const behind = named(page.after ?? '')[0]?.page
    const wanted = page.group?.trim().toLowerCase()
    const hints = { groups: file.sections.flatMap(({ name }) => name ?? []) }
    if (page.after !== undefined && behind === undefined && wanted === undefined)
      throw new ToolError('no_such_page', `${quote(file.path)} has no page ${quote(page.after)}`, hints)
    const section = file.sections.find(({ name }) =>
      wanted === undefined ? name === undefined : name?.trim().toLowerCase() === wanted,
    )
    if (section === undefined && behind === undefined)
      throw new ToolError(
        'no_such_group',
        `${quote(file.path)} has no group ${quote(page.group ?? '')}`,
        hints,
      )
    const place = behind ?? {
      seq: section?.seq ?? file.sections[0]?.seq,
      index: (section?.seq.items.length ?? 0) - 1,
    }
    if (place.seq === undefined) throw new ToolError('unreadable', `${quote(file.path)} has no list of pages`)
    const edit = addEdit(
      file.text,
      { seq: place.seq, index: place.index },
      { text: page.name, title: page.title },
    )
    return { path: file.path, edits: [edit] }
  }
}

/** Whether the rest of the folder follows by itself. */
function isOpen({ contents, pages }: FolderFile): boolean {
  const rest = pairOf(contents, 'append_unmatched')?.value
  return pages.some(({ text }) => /^\.\.\.|[*?]/.test(text)) || (isScalar(rest) && rest.value === true)
}
