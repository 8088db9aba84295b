import type { IncludeForm } from '../../pages/include-form.ts'
import { folderOf, resolvePath } from '../../text/paths.ts'

/** Fences of the directive `include`. */
export const mystIncludes: IncludeForm = {
  fence({ info }, body, { from }) {
    const [, name = ''] = /^\{include\}\s{1,20}(\S{1,500})$/.exec(info) ?? []
    const path = name === '' || name.startsWith('<') ? undefined : resolvePath(folderOf(from), name)
    if (path === undefined) return undefined
    const options = new Map(
      body.flatMap(({ text }) => {
        const [, key, value = ''] = /^\s*:([a-z-]{1,40}):[ \t]{0,20}(.{0,500})$/.exec(text) ?? []
        return key === undefined ? [] : [[key, value.trim()] as const]
      }),
    )
    // Such files are shown as code.
    if (options.has('literal') || options.has('code') || options.has('parser')) return undefined
    const [start, end] = [Number(options.get('start-line') ?? 0), options.get('end-line')]
    const [after, before] = [options.get('start-after'), options.get('end-before')]
    const relativeDocs = options.get('relative-docs')
    return {
      paths: [path],
      ...(relativeDocs !== undefined && relativeDocs !== '' && { relativeDocs }),
      part: {
        // These count from 0, and the end is not part of it.
        ...(start > 0 && { from: start + 1 }),
        ...(end !== undefined && Number(end) > 0 && { to: Number(end) }),
        ...(after !== undefined && { after }),
        ...(before !== undefined && { before }),
      },
    }
  },
}
