import { type Pair, type Scalar, isMap, isScalar, isSeq } from 'yaml'
import { type Edit, endingAt } from '../../text/text-file.ts'
import { yamlScalar } from '../../text/yaml-scalar.ts'
import { endOf, lineStart, pairOf, startOf, textOf } from '../../text/yaml-source.ts'
import type { RedirectList } from '../../navigation/navigation-tree.ts'
import type { YamlFile } from '../../navigation/yaml-file.ts'
import { yamlRedirects } from '../../navigation/yaml-redirects.ts'

/** The `redirect_maps` of the redirects plugin, which may still be missing; undefined without the plugin. */
export function mkdocsRedirects(files: readonly YamlFile[], root: string): RedirectList | undefined {
  for (const file of files) {
    const plugins = pairOf(file.document.contents, 'plugins')?.value
    const items: unknown[] = isSeq(plugins) ? plugins.items : [plugins]
    for (const item of items) {
      const plugin = pairOf(item, 'redirects')
      const name = isScalar(item) && textOf(item) === 'redirects' ? item : plugin?.key
      if (!isScalar(name)) continue
      const maps = pairOf(plugin?.value, 'redirect_maps')
      const map = isMap(maps?.value) ? maps.value : undefined
      if (map !== undefined) return yamlRedirects(file, map, { root, isSame: (one, other) => one === other })
      return {
        path: file.path,
        entries: [],
        nameOf: ({ path }) => path.slice(root.length),
        isSame: (one, other) => one === other,
        append: (from, to) => [
          begin(file.text, `${yamlScalar(from)}: ${yamlScalar(to)}`, {
            name,
            maps,
            isBare: plugin === undefined,
          }),
        ],
      }
    }
  }
  return undefined
}

function begin(
  text: string,
  entry: string,
  { name, maps, isBare }: { name: Scalar; maps: Pair | undefined; isBare: boolean },
): Edit {
  const start = startOf(name)
  const indent = ' '.repeat(start - lineStart(text, start) + 2)
  const ending = endingAt(text, start)
  const line = `${ending}${indent}  ${entry}`
  if (maps !== undefined) {
    const at = text.indexOf(':', endOf(maps.key)) + 1
    return { start: at, end: at, text: line }
  }
  const end = endOf(name)
  const at = isBare ? end : text.indexOf(':', end) + 1
  return { start: at, end: at, text: `${isBare ? ':' : ''}${ending}${indent}redirect_maps:${line}` }
}
