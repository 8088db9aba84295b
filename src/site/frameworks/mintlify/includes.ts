import type { IncludeForm } from '../../pages/include-form.ts'
import { resolvePath } from '../../text/paths.ts'

/** `<Snippet file="…" />` on a line. */
export const mintlifyIncludes: IncludeForm = {
  line(text, { site }) {
    const [, , name = ''] = /^\s*<Snippet\s{1,20}file=(["'])([^"'\n]{1,500})\1\s{0,20}\/?>/.exec(text) ?? []
    if (name === '') return undefined
    const bare = name.replace(/^\//, '')
    const endings = /\.mdx?$/.test(bare) ? [bare] : [`${bare}.mdx`, `${bare}.md`]
    const paths = ['snippets/', '_snippets/', ''].flatMap((folder) =>
      endings.flatMap((file) => resolvePath(`${site.root}${folder}`, file) ?? []),
    )
    return { paths, part: {} }
  },
}
