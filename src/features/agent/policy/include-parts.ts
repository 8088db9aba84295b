import type { ActivePart } from './active-part.ts'
import { firstLine, shown } from './active-part.ts'
import { holdsSecrets } from './path-rules.ts'

type Part = Omit<ActivePart, 'line'> & { at: number }

/** How site generators take in other files, code blocks included: the path is the first group that matched. */
const includes = [
  /(?<!-)-+8<-+[ \t]+(?:"([^"\n]{1,1000})"|'([^'\n]{1,1000})')/g,
  /^[ \t]*<<<[ \t]*(?!<)([^\s{[<>|][^\s{[]{0,1000})/gm,
  /<!--\s{0,1000}@include:\s{0,1000}([^\s<>{#]{1,1000})/g,
  /\{!>?[ \t]*((?![ \t])[^\n!]{0,999}[^\n\t !])[ \t]*!\}/g,
  /\{%-?\s{0,1000}(?:include|include-markdown|include_relative|import|from|extends|render|raw_include)\s{1,1000}["']?([^\s"'%]{1,1000})/g,
  /[:{]download[:}]`(?:[^`<]{0,1000}<)?([^`>]{1,1000})>?`/g,
  /^[ \t]*\.\. (?:include|literalinclude|raw|csv-table)::[ \t]*(?:html[ \t]*)?(\S{1,1000})/gm,
  /^[ \t]*:(?:file|url):[ \t]*(\S{1,1000})/gm,
  /^include::([^\n[]{1,1000})\[/gm,
  /!!?raw-loader!(\S{1,1000}?)["'`]/g,
] as const

/** It begins and ends lists of paths, a line each; the last goes on to the end of the file. */
const snippetMarker = /^[ \t]*-+8<-+[ \t]*$/gm
const maxSnippets = 2000
const maxPath = 1000

/** Includes of what is no file of the tree: files of the machine that builds, and other addresses. */
export function includeParts(text: string, isFile: (path: string) => boolean): Part[] {
  const parts: Part[] = []
  const judge = (path: string, at: number): void => {
    // Nothing longer is the path of a file.
    if (path.length <= maxPath) {
      const plain = path
        .replace(/^;/, '')
        .replace(/[#:][\w:,-]*$/, '')
        .trim()
      if (plain === '' || isFile(plain)) return
    }
    parts.push({
      key: `include ${path}`,
      what: `an include of ${shown(path)}, which is no file of the repository`,
      search: firstLine(path),
      at,
    })
  }
  for (const { path, at } of includesIn(text)) judge(path, at)
  return parts
}

/** What a text takes in, as it names it. */
export function includesIn(text: string): { path: string; at: number }[] {
  const found: { path: string; at: number }[] = []
  for (const pattern of includes) {
    for (const match of text.matchAll(pattern))
      found.push({ path: match.slice(1).find((one) => one !== undefined) ?? '', at: match.index })
  }
  const marks = [...text.matchAll(snippetMarker)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }))
  for (const [index, { end }] of marks.entries())
    for (const path of text.slice(end, marks[index + 1]?.start).split('\n', maxSnippets))
      if (index % 2 === 0 && (marks[index + 1] !== undefined || /^\s*[^\s./]*[./]\S*$/.test(path)))
        found.push({ path: path.trim(), at: end })
  return found
}

/**
 * Tells whether a path, however a generator resolves it, can only name files of a tree: that such a file is there,
 * and none that is kept out of repositories.
 */
export function fileTest(paths: Iterable<string>): (path: string) => boolean {
  const names = new Map<string, string[]>()
  for (const path of paths) {
    const name = path.slice(path.lastIndexOf('/') + 1)
    names.set(name, [...(names.get(name) ?? []), path])
  }
  return (given) => {
    const path = given.replace(/^[~@][\w-]{0,40}\//, '').replace(/^(?:\.{0,2}\/)+/, '')
    if (/^[a-z][\w+.-]*:|^\/\/|\\|\0|[!?]/i.test(given) || /(?:^|\/)\.(?:\.(?:\/|$)|env|git)/i.test(path))
      return false
    // What is kept from agents is kept from pages.
    if (holdsSecrets(path)) return false
    const candidates = names.get(path.slice(path.lastIndexOf('/') + 1)) ?? []
    return candidates.some((one) => one === path || one.endsWith(`/${path}`))
  }
}
