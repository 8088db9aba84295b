import { type IncludeForm, rangeOf } from '../../pages/include-form.ts'
import { folderOf, resolvePath } from '../../text/paths.ts'

/** `<!--@include: …-->` and `<<< @/file.js#region{1,3 js}` on a line. */
export const vitepressIncludes: IncludeForm = {
  line(text, { site, from }) {
    const [code, file = '', region, braces = ''] =
      /^\s*<<<\s{1,20}([^\s{}#]{1,500})(?:#([\w-]{1,100}))?\s{0,20}(?:\{([^{}\n]{0,100})\})?(?:\s{0,20}\[[^[\]\n]{0,200}\])?\s*$/.exec(
        text,
      ) ?? []
    if (code !== undefined) {
      const target = placeOf(file, site.root, from)
      const language =
        /(?:^|[\s\d,-])([a-z][\w+-]*)/i.exec(braces)?.[1] ?? /\.(\w{1,20})$/.exec(file)?.[1] ?? ''
      if (target === undefined) return undefined
      return { paths: [target], part: region === undefined ? {} : { section: region }, shownAs: language }
    }
    const [, name = '', section, range = ''] =
      /^\s*<!--\s{0,20}@include:\s{0,20}([^\s{}#<>]{1,500})(?:#([\w-]{1,100}))?\s{0,20}(?:\{(\d{0,9},?\d{0,9})\})?\s{0,20}-->\s*$/.exec(
        text,
      ) ?? []
    if (name === '') return undefined
    const path = placeOf(name, site.root, from)
    return path === undefined
      ? undefined
      : { paths: [path], part: { ...rangeOf(range, ','), ...(section !== undefined && { section }) } }
  },
}

function placeOf(name: string, root: string, from: string): string | undefined {
  return name.startsWith('@')
    ? resolvePath(root, name.slice(1).replace(/^\//, ''))
    : resolvePath(folderOf(from), name)
}
