import { folderOf, resolvePath } from '../text/paths.ts'
import { type Reference, withoutCode } from './snippet-reference.ts'
import type { FileVersion } from './tree-change.ts'

const maxLine = 2000

/** `<<< @/file.js#region{1-3}` and `<!--@include: ./part.md{1,3}-->`. */
export function vitepressReferences({ path, site, lines }: FileVersion): Reference[] {
  return lines.flatMap(({ kind, text: whole }, at) => {
    if (kind !== 'text') return []
    const text = whole.slice(0, maxLine)
    const code = /^\s*<<<[ \t]+([^\s{[#]{1,500})/.exec(text)?.[1]
    const page = /<!--\s*@include:\s*([^\s{#]{1,500}?)\s*(?:[{#][^>]*)?-->/.exec(withoutCode(text))?.[1]
    return [code, page].flatMap((name) => {
      const target =
        name === undefined
          ? undefined
          : name.startsWith('@')
            ? resolvePath(site.root, name.slice(1))
            : name.startsWith('/')
              ? undefined
              : resolvePath(folderOf(path), name)
      return name === undefined || target === undefined
        ? []
        : [{ line: at + 1, text: name, candidates: [target], isCode: false }]
    })
  })
}
