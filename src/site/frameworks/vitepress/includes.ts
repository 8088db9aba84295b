import { type IncludeForm, rangeOf } from '../../pages/include-form.ts'
import { folderOf, resolvePath } from '../../text/paths.ts'

/** `<!--@include: …-->` on a line. */
export const vitepressIncludes: IncludeForm = {
  line(text, { site, from }) {
    const [, name = '', section, range = ''] =
      /^\s*<!--\s{0,20}@include:\s{0,20}([^\s{}#<>]{1,500})(?:#([\w-]{1,100}))?\s{0,20}(?:\{(\d{0,9},?\d{0,9})\})?\s{0,20}-->\s*$/.exec(
        text,
      ) ?? []
    if (name === '') return undefined
    const path = name.startsWith('@')
      ? resolvePath(site.root, name.slice(1).replace(/^\//, ''))
      : resolvePath(folderOf(from), name)
    return path === undefined
      ? undefined
      : { paths: [path], part: { ...rangeOf(range, ','), ...(section !== undefined && { section }) } }
  },
}
