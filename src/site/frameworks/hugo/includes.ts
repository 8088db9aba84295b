import type { IncludeForm } from '../../pages/include-form.ts'
import { folderOf, resolvePath } from '../../text/paths.ts'

/** `{{< include … >}}` and `{{% readfile … %}}` of themes, on a line. */
export const hugoIncludes: IncludeForm = {
  line(text, { site, from }) {
    const [, name = ''] =
      /^\s*\{\{[%<]\s{0,20}(?:include|readfile)\s{1,20}(?:file=)?["']([^"'\n]{1,500}\.(?:md|txt))["'][^{}\n]{0,200}\}\}\s*$/.exec(
        text,
      ) ?? []
    if (name === '') return undefined
    const base = folderOf(site.configPaths[0] ?? '')
    const [language = ''] = folderOf(from).slice(site.root.length).split('/', 1)
    const folders = [site.root, `${site.root}${language}/`, base]
    if (!name.startsWith('/')) folders.unshift(folderOf(from))
    return {
      paths: folders.flatMap((folder) => resolvePath(folder, name.replace(/^\//, '')) ?? []),
      part: {},
    }
  },
}
