import type { ReadFile } from '../../files.ts'
import {
  type ListFormat,
  type ListNavigation,
  type ListPage,
  listNavigation,
  listTree,
} from '../../navigation/list-tree.ts'
import type { NavigationPlace, NavigationTree, PageList } from '../../navigation/navigation-tree.ts'
import type { NavigationSource } from '../../site.ts'
import { attributesFor } from '../../asciidoc/attributes.ts'
import { expandLines } from '../../asciidoc/expand.ts'
import { readMacro } from '../../asciidoc/macros.ts'
import type { AsciidocSettings } from '../../asciidoc/settings.ts'

/** The pages that the lists of a component's navigation name, with the groups that they are in. */
export async function antoraNavigation(
  read: ReadFile,
  files: readonly string[],
  settings: AsciidocSettings,
): Promise<{ places: Map<string, NavigationPlace>; files: string[] }> {
  const places = new Map<string, NavigationPlace>()
  const all: string[] = []
  for (const file of files.slice(0, 100)) {
    const source = await read(file)
    all.push(file)
    if (source === undefined) continue
    const { lines, included } = await expandLines({ path: file, settings }, source, read)
    all.push(...included)
    const attributes = attributesFor(settings, file)
    let title: string[] = []
    const above: { depth: number; label: string }[] = []
    for (const { text: raw } of lines.slice(0, 20_000)) {
      const text = raw.trim()
      if (attributes.read(text)) continue
      if (/^\.[^\s.]/.test(text)) {
        title = [labelIn(attributes.fill(text.slice(1))).label]
        above.length = 0
        continue
      }
      const [, marks = '', entry = ''] = /^(\*{1,9}|\.{1,9}|-)\s+(\S.*)$/.exec(text) ?? []
      if (marks === '') continue
      const { label, target } = labelIn(attributes.fill(entry))
      while ((above.at(-1)?.depth ?? 0) >= marks.length) above.pop()
      const groups = [...title, ...above.map((one) => one.label)].filter((one) => one !== '')
      const [name = ''] = target?.split('#') ?? []
      const path = name === '' ? undefined : settings.fileOf(file, name, 'page')
      const isWhole = target?.includes('#') !== true
      if (path !== undefined && !places.has(path))
        places.set(path, { label: label === '' || !isWhole ? undefined : label, groups })
      above.push({ depth: marks.length, label })
    }
  }
  return { places, files: all }
}

/** The lists of a component as they can be edited; includes are files of their own. */
export async function openAntoraTree(
  { read, paths }: Pick<NavigationSource, 'read' | 'paths'>,
  files: readonly string[],
  names: {
    fileOf: AsciidocSettings['fileOf']
    idOf: (from: string, to: string, like: string) => string | undefined
  },
): Promise<NavigationTree<ListPage, PageList> | undefined> {
  const formats = new Map<string, ListFormat>()
  const listed: ListNavigation[] = []
  for (const file of files) {
    const text = await read(file)
    if (text === undefined) continue
    const format = navigationFormat(file, names)
    formats.set(file, format)
    listed.push(listNavigation({ path: file, text }, format, (path) => paths.has(path)))
  }
  const [first] = formats.values()
  if (first === undefined) return undefined
  return listTree(
    { pages: listed.flatMap(({ pages }) => pages), lists: listed.flatMap(({ lists }) => lists) },
    (file) => formats.get(file) ?? first,
    undefined,
  )
}

function navigationFormat(file: string, { fileOf, idOf }: Parameters<typeof openAntoraTree>[2]): ListFormat {
  return {
    read: (line) => {
      const [, title] = /^\.([^\s.].*)$/.exec(line) ?? []
      if (title !== undefined) return labelIn(title).label
      const [, indent = '', marks = '', blanks = ''] =
        /^([ \t]{0,20})(\*{1,9}|\.{1,9}|-)([ \t]+)(?=\S)/.exec(line) ?? []
      if (marks === '') return undefined
      const mark = `${marks}${blanks}`
      const from = indent.length + mark.length
      const { label, target } = labelIn(line.slice(from))
      const at = target === undefined ? -1 : line.indexOf(`xref:${target}[`, from)
      const isNamed = target !== undefined && at !== -1 && !target.includes('{')
      const span = isNamed ? { start: at + 5, end: at + 5 + target.length } : undefined
      return { depth: marks.length, at: indent.length, mark, label, target: span }
    },
    write: (mark, label, address) => `${mark}xref:${address}[${label.replaceAll(']', '\\]')}]`,
    resolve: (address) => {
      const [name = ''] = address.split('#', 1)
      return name === '' ? undefined : fileOf(file, name, 'page')
    },
    addressOf: (path, like) => {
      const hash = like.indexOf('#')
      const name = hash === -1 ? like : like.slice(0, hash)
      return `${idOf(file, path, name) ?? name}${hash === -1 ? '' : like.slice(hash)}`
    },
  }
}

function labelIn(entry: string): { label: string; target: string | undefined } {
  const at = entry.indexOf('xref:')
  const macro =
    at === -1
      ? readMacro(entry, Math.max(0, entry.search(/(?:link|https?):/)), new Set())
      : readMacro(entry, at, new Set())
  const plain = (text: string) => text.replaceAll(/[`*_]{1,2}(?=\S)|(?<=\S)[`*_]{1,2}(?!\w)/g, '').trim()
  if (macro === undefined) return { label: plain(entry), target: undefined }
  return { label: plain(macro.body), target: macro.name === 'xref' ? macro.target : undefined }
}
