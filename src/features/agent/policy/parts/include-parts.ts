import { posix } from 'node:path'
import { holdsSecrets } from '../protected-files.ts'
import type { Reading } from './reading.ts'
import { lineAt, type Part, partOf, shown } from './part.ts'
import { pageEnding } from '../../../../site/text/markup.ts'

/** How site generators take in other files, code blocks included: the path is the first group that matched. */
const includes = [
  /(?<!-)-+8<-+[ \t]+(?:"([^"\n]{1,1000})"|'([^'\n]{1,1000})')/g,
  /^[ \t]*<<<[ \t]*(?!<)([^\s{[<>|][^\s{[]{0,1000})/gm,
  /<!--\s{0,1000}@include:\s{0,1000}([^\s<>{#]{1,1000})/g,
  /\{!>?[ \t]*((?![ \t])[^\n!]{0,999}[^\n\t !])[ \t]*!\}/g,
  /\{%-?\s{0,1000}(?:include|include-markdown|include_relative|import|from|extends|render|raw_include)\s{1,1000}["']?([^\s"'%]{1,1000})(?=[^%]{0,500}%\})/g,
  // Of mdBook: blocks of Handlebars are none.
  /\{\{\s{0,20}#(?!(?:each|if|unless|with|let)\b)[a-z_]{1,20}\s{1,20}([^\s{}]{1,1000})/gi,
  /[:{]download[:}]`(?:[^`<]{0,1000}<)?([^`>]{1,1000})>?`/g,
  // Docutils reads names in any case, and MyST has its directives in fences and between colons.
  /(?<=^|[\s|])\.\.[ \t\f\v]{1,20}(?:literal)?include ?::[ \t]*(\S{1,1000})/gim,
  /^[ \t>*-]*(?:`{3,}|~{3,}|:{3,})[ \t]*\{(?:literal)?include\}[ \t]*(\S{1,1000})/gim,
  /^[ \t]*:(?:file|url|diff|parser):(?!`)[ \t]*(\S{1,1000})/gim,
  /(?:^|\|)(?:ifn?def::[^\n[]{0,200}\[)?include::([^\n[]{1,1000})\[/gm,
  // Of docfx
  /\[!(?:include|code)[\w-]{0,20}[ \t]{0,5}\[[^\]\n]{0,300}\][ \t]{0,5}\(([^)\s]{1,1000})/gi,
  /!!?raw-loader!(\S{1,1000}?)["'`]/g,
] as const
/** It begins and ends lists of paths, a line each; the last goes on to the end of the file. */
const snippetMarker = /^[ \t]*-+8<-+[ \t]*$/gm
const maxSnippets = 2000

/** Includes of what is no file of the tree: files of the machine that builds, and other addresses. */
export function includeParts(text: string, { fileOf }: Pick<Reading, 'fileOf'>): Part[] {
  return includesIn(text).flatMap(({ path, at }) => {
    const plain = path
      .slice(0, 1000)
      .replace(/^;/, '')
      .replace(/[#:][\w:,-]*$/, '')
      .trim()
    if (path.length <= 1000 && (plain === '' || fileOf(plain) !== undefined)) return []
    return [{ ...partOf('include', 'an include of what is no file of the site', path, lineAt(text, at)) }]
  })
}

function includesIn(text: string): { path: string; at: number }[] {
  const paths: { path: string; at: number }[] = []
  for (const pattern of includes)
    for (const one of text.matchAll(pattern))
      paths.push({ path: one.slice(1).find((group) => group !== undefined) ?? '', at: one.index })
  const marks = [...text.matchAll(snippetMarker)].map(({ 0: whole, index }) => index + whole.length)
  for (const [index, end] of marks.entries())
    for (const path of text.slice(end, marks[index + 1]).split('\n', maxSnippets))
      if (
        index % 2 === 0 &&
        !/^[ \t]*-+8<-+[ \t]*$/.test(path) &&
        (marks[index + 1] !== undefined || /^\s*[^\s./]*[./]\S*$/.test(path))
      )
        paths.push({ path: path.trim(), at: end })
  return paths
}

/**
 * What only comes of putting a file into a page: one that ends the code block that it stands in, so that what both show
 * as code is alive, or one that leaves a block open for what follows.
 */
export async function embeddingParts(
  text: string,
  { fileOf }: Pick<Reading, 'fileOf'>,
  readText: (path: string) => Promise<string>,
): Promise<Part[]> {
  const parts: Part[] = []
  for (const { path, at } of includesIn(text).slice(0, 50)) {
    const plain = path
      .slice(0, 1000)
      .replace(/^;/, '')
      .replace(/[#:{].*/s, '')
      .trim()
    const file = plain === '' ? undefined : fileOf(plain)
    if (file === undefined) continue
    const content = await readText(file)
    const isInCode = fences(text.slice(0, at)) % 2 === 1
    const isOpen = fences(content) % 2 === 1 || content.lastIndexOf('<!--') > content.lastIndexOf('-->')
    if (!isOpen && !(isInCode && fences(content) > 0)) continue
    const end = isInCode ? 'to a code block, which it ends' : 'which leaves a code block or comment open'
    parts.push({
      key: `embedding ${isInCode} ${path}`,
      line: lineAt(text, at),
      what: `the file ${shown(path)}, ${end}`,
    })
  }
  return parts
}

/** Lines that begin or end a code block. */
function fences(text: string): number {
  return text.match(/^[ \t>]*(?:`{3,}|~{3,})/gm)?.length ?? 0
}

/** Finds the file of a tree that a page names: resolved from the page, a folder above it, or one that is given. */
export type FindFile = (given: string, from: string, added: readonly string[]) => string | undefined

/**
 * Resolves what a page names as generators do. Never by the end of a path, never above the tree, and no file that is
 * kept out of repositories. Of files that a diff adds only pages count: those are judged as what they are taken for.
 */
export function fileFinder({
  paths,
  folders = [],
  below = [],
  read = () => undefined,
}: {
  paths: Iterable<string>
  /** Folders of the configuration in which included files are looked up. */
  folders?: readonly string[]
  /** The same, below any folder above the page. */
  below?: readonly string[]
  /** What the framework's own notation for a file stands for. */
  read?: (given: string) => string | undefined
}): FindFile {
  const all = new Set(paths)
  return (given, from, added) => {
    const written = read(given) ?? given
    if (/^[a-z][\w+.-]*:|^\/\/|\\|\0|[!?]/i.test(written)) return undefined
    const isFromTop = /^[~@][\w-]{0,40}\/|^\//.test(written)
    const path = written.replace(/^[~@][\w-]{0,40}\//, '').replace(/^\/+/, '')
    const places = isFromTop ? [] : [posix.dirname(from)]
    // What leads up leads up from one place.
    if (path.startsWith('../')) places.push(...folders)
    else
      for (const above of [...foldersAbove(from), ...folders])
        places.push(above, ...below.map((folder) => posix.join(above, folder)))
    return places
      .map((place) => posix.join(place, path))
      .find((one) => {
        if (one.startsWith('../') || isHidden(one)) return false
        return all.has(one) || (pageEnding.test(one) && added.includes(one))
      })
  }
}

function foldersAbove(path: string): string[] {
  const names = path.split('/').slice(0, -1)
  return [...names.keys()].map((count) => names.slice(0, names.length - count).join('/')).concat('')
}

// What is kept from agents is kept from pages.
function isHidden(path: string): boolean {
  return /(?:^|\/)\.(?:env|git(?!book))/i.test(path) || holdsSecrets(path)
}

/** Whether a text is the path of a file above the repository, or of one that is kept out of it. */
export function namesFileBeyond(text: string, from: string): boolean {
  return (
    (text.startsWith('../') && posix.join(posix.dirname(from), text).startsWith('../')) ||
    (/(?:^|\/)\.(?:env|git|ssh|aws)\b/.test(text) && !/^[a-z]+:|\s/i.test(text))
  )
}
