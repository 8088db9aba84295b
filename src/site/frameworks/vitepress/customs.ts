import { maxLine } from '../../pages/include-form.ts'
import type { PageCustoms } from '../../pages/page-customs.ts'
import { folderOf, resolvePath } from '../../text/paths.ts'

/** What VitePress does with pages. */
export function vitepressCustoms(root: string): PageCustoms {
  return {
    standsAlone: (data) => (data['layout'] ?? 'doc') !== 'doc' || data['sidebar'] === false,
    /** `<<< @/file.js#region{1-3}` and `<!--@include: ./part.md{1,3}-->`. */
    references: ({ path, prose }) =>
      prose()
        .split('\n')
        .flatMap((whole, at) => {
          const text = whole.slice(0, maxLine)
          const code = /^\s*<<<[ \t]+([^\s{[#]{1,500})/.exec(text)?.[1]
          const page = /<!--\s*@include:\s*([^\s{#]{1,500}?)\s*(?:[{#][^>]*)?-->/.exec(text)?.[1]
          return [code, page].flatMap((name) => {
            const target = name === undefined ? undefined : pathOf(path, name)
            return name === undefined || target === undefined
              ? []
              : [{ line: at + 1, text: name, candidates: [target] }]
          })
        }),
  }

  function pathOf(from: string, name: string): string | undefined {
    if (name.startsWith('@')) return resolvePath(root, name.slice(1))
    // Plug-ins give others a meaning: `virtual:table`.
    return /^(?:\/|[\w-]+:)/.test(name) ? undefined : resolvePath(folderOf(from), name)
  }
}
