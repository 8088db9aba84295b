import {
  type Include,
  type IncludeForm,
  type IncludePlace,
  type IncludeTarget,
  indentOf,
  type Part,
} from '../../pages/include-form.ts'
import type { FileReference, PageCustoms } from '../../pages/page-customs.ts'
import { resolvePath } from '../../text/paths.ts'
import { snippetFolders } from './snippet-folders.ts'

const snippet = /^[ \t]*-{1,10}8<-{1,10}[ \t]+(?:"([^"\n]{1,500})"|'([^'\n]{1,500})')[ \t]*$/
const snippetBlock = /^[ \t]*-{1,10}8<-{1,10}[ \t]*$/

function snippetTarget(name: string, { folders = [] }: IncludePlace): IncludeTarget | undefined {
  if (name === '' || name.length > 500 || /^(?:;|[a-z]+:\/\/)/i.test(name)) return undefined
  const [file = '', first = '', last = ''] = name.split(':')
  const part: Part = /^\d*$/.test(first)
    ? { ...(first === '' ? {} : { from: Number(first) }), ...(last === '' ? {} : { to: Number(last) }) }
    : { section: first }
  const paths = folders.flatMap((folder) => resolvePath(folder, file) ?? [])
  return paths.length === 0 ? undefined : { paths, part }
}

/** `--8<-- "file"` and blocks of such lines, in code too: MkDocs fills them in before anything else is read. */
export const mkdocsIncludes: IncludeForm = {
  folders: async (source, site, read) =>
    source.includes('8<-') ? ((await snippetFolders(site, read)) ?? []) : [],
  inCode: true,
  line(text, place) {
    const match = snippet.exec(text)
    return match === null ? undefined : snippetTarget(match[1] ?? match[2] ?? '', place)
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
