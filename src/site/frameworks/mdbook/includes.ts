import { type IncludeForm, rangeOf } from '../../pages/include-form.ts'
import { folderOf, resolvePath } from '../../text/paths.ts'

/** `{{#include …}}`, `{{#rustdoc_include …}}` and `{{#playground …}}` on a line, in code too. */
export const mdbookIncludes: IncludeForm = {
  inCode: true,
  line(text, { from }) {
    const [, name = '', rest = ''] =
      /^\s*\{\{\s{0,20}#(?:rustdoc_include|include|playground)\s{1,20}([^\s:{}]{1,500})(?::([^{}\n]{1,200}?))?(?:\s[^{}\n]{0,200})?\}\}\s*$/.exec(
        text,
      ) ?? []
    const path = name === '' ? undefined : resolvePath(folderOf(from), name)
    if (path === undefined) return undefined
    const range = rest.trim()
    return { paths: [path], part: /^[\d:]*$/.test(range) ? rangeOf(range, ':') : { section: range } }
  },
}
