import {
  type Include,
  type IncludeForm,
  type IncludePlace,
  type IncludeTarget,
  indentOf,
  type Part,
} from '../../pages/include-form.ts'
import type { FileReference, PageCustoms } from '../../pages/page-customs.ts'
import { folderOf, resolvePath } from '../../text/paths.ts'
import { snippetFolders } from './snippet-folders.ts'

const snippet = /^[ \t]*-{1,10}8<-{1,10}[ \t]+(?:"([^"\n]{1,500})"|'([^'\n]{1,500})')[ \t]*$/
const snippetBlock = /^[ \t]*-{1,10}8<-{1,10}[ \t]*$/
/** The lines of one tag of a plug-in. */
const mostTagLines = 20

function snippetTarget(name: string, { folders = [] }: IncludePlace): IncludeTarget | undefined {
  if (name === '' || name.length > 500 || /^(?:;|[a-z]+:\/\/)/i.test(name)) return undefined
  const [file = '', first = '', last = ''] = name.split(':')
  const part: Part = /^\d*$/.test(first)
    ? { ...(first === '' ? {} : { from: Number(first) }), ...(last === '' ? {} : { to: Number(last) }) }
    : { section: first }
  const paths = folders.flatMap((folder) => resolvePath(folder, file) ?? [])
  return paths.length === 0 ? undefined : { paths, part }
}

/** `{!file!}` of markdown-include, and `{% include-markdown "file" %}` and `{% include "file" %}` of the plug-in of that name. */
function otherInclude(text: string, { site, from }: IncludePlace): IncludeTarget | undefined {
  const plain = /^\{!([^!{}\n]{1,500})!\}$/.exec(text.trim())?.[1]?.trim() ?? ''
  if (plain !== '') {
    const folders = [folderOf(site.configPaths[0] ?? ''), site.root, folderOf(from)]
    return { paths: folders.flatMap((folder) => resolvePath(folder, plain) ?? []), part: {} }
  }
  const [, kind, name = '', options = ''] =
    /^\s*\{%-?\s{0,20}include(-markdown)?\s{1,20}["']([^"'\n]{1,500})["']([^%\n]{0,1000})%\}\s*$/.exec(
      text,
    ) ?? []
  if (name === '' || /^[a-z]+:\/\//i.test(name)) return undefined
  const optionOf = (key: string) => new RegExp(String.raw`\b${key}=["']([^"']{1,500})["']`).exec(options)?.[1]
  const [after, before] = [optionOf('start'), optionOf('end')]
  const folder = name.startsWith('.') ? folderOf(from) : site.root
  const path = resolvePath(folder, name.replace(/^\//, ''))
  return path === undefined
    ? undefined
    : {
        paths: [path],
        part: { ...(after !== undefined && { after }), ...(before !== undefined && { before }) },
        isOwn: () => kind !== undefined && !/\brewrite-relative-urls=false\b/.test(options),
      }
}

/** `--8<-- "file"` and blocks of such lines, in code too: MkDocs fills them in before anything else is read. */
export const mkdocsIncludes: IncludeForm = {
  folders: async (source, site, read) =>
    source.includes('8<-') ? ((await snippetFolders(site, read)) ?? []) : [],
  inCode: true,
  line(text, place) {
    const match = snippet.exec(text)
    return match === null ? otherInclude(text, place) : snippetTarget(match[1] ?? match[2] ?? '', place)
  },
  blocks(lines, place) {
    const includes: Include[] = []
    let open = false
    for (const [index, { text }] of lines.entries()) {
      if (snippetBlock.test(text)) {
        open = !open
        includes.push({ start: index, end: index + 1, paths: [], part: {}, indent: '' })
      } else if (open) {
        const target = snippetTarget(text.trim(), place)
        if (target) includes.push({ ...target, start: index, end: index + 1, indent: indentOf(text) })
      } else if (/^\s*\{%-?\s*(?:include(?:-markdown)?\b[^%]*)?$/.test(text)) {
        const end = lines.slice(index, index + mostTagLines).findIndex((line) => line.text.includes('%}'))
        const tag = lines.slice(index, index + end + 1).map((line) => line.text.trim())
        const target = end < 1 ? undefined : otherInclude(tag.join(' '), place)
        if (target) includes.push({ ...target, start: index, end: index + end + 1, indent: indentOf(text) })
      }
    }
    return includes
  },
}

/** What MkDocs does with pages. */
export function mkdocsCustoms(site: IncludePlace['site']): PageCustoms {
  return {
    // References that a plug-in writes from code.
    filledIn: /^::: \S/m,
    servesOnlyRoot: true,
    async references({ path, text }, read) {
      const folders = await snippetFolders(site, read)
      return folders === undefined ? [] : referencesIn(text, { site, from: path, folders })
    },
  }
}

function referencesIn(page: string, place: IncludePlace): FileReference[] {
  let isOpen = false
  return page.split(/\r?\n/).flatMap((line, at) => {
    const isMark = snippetBlock.test(line)
    if (isMark) isOpen = !isOpen
    const match = isMark ? null : snippet.exec(line)
    const text = isOpen && !isMark ? line.trim() : (match?.[1] ?? match?.[2] ?? '')
    const target = snippetTarget(text, place)
    return target === undefined ? [] : [{ line: at + 1, text, candidates: target.paths }]
  })
}
