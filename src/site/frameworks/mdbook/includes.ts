import { type IncludeForm, rangeOf } from '../../pages/include-form.ts'
import { folderOf, resolvePath } from '../../text/paths.ts'

/** `{{#include …}}`, `{{#rustdoc_include …}}` and `{{#playground …}}` on a line, in code too. */
export const mdbookIncludes: IncludeForm = {
  inCode: true,
  line(text, { from }) {
    const [, words = ''] =
      /^\{\{\s{0,20}#(?:rustdoc_include|include|playground)\s([^{}\n]{1,1000})\}\}$/.exec(text.trim()) ?? []
    const [target = ''] = words.trim().split(/\s/, 1)
    const [name = ''] = target.split(':', 1)
    const path = name === '' ? undefined : resolvePath(folderOf(from), name)
    if (path === undefined) return undefined
    const range = target.slice(name.length + 1)
    return { paths: [path], part: /^[\d:]*$/.test(range) ? rangeOf(range, ':') : { section: range } }
  },
}
