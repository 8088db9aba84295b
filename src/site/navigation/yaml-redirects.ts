import { type Pair, type YAMLMap, isScalar } from 'yaml'
import { type Edit, endingAt } from '../text/text-file.ts'
import { yamlScalar } from '../text/yaml-scalar.ts'
import { endOf, lineStart, nextLine, scalarEdit, startOf, styleOf, textOf } from '../text/yaml-source.ts'
import { insertChild, removeChild } from './edit-container.ts'
import { yamlContainer } from './edit-lines.ts'
import type { RedirectEntry, RedirectList } from './navigation-tree.ts'
import type { YamlFile } from './yaml-file.ts'

/** How a map of redirects writes what the navigation tree names. */
interface RedirectStyle {
  root: string
  isSame: RedirectList['isSame']
  /** The text of a former page. */
  from?: (name: string) => string
  to?: { read: (text: string) => string; write: (name: string) => string }
}

/** A map from former pages to pages; by default both are named by their paths below `root`. */
export function yamlRedirects(file: YamlFile, map: YAMLMap, style: RedirectStyle): RedirectList {
  const { root, isSame, from: written = same, to = { read: same, write: same } } = style
  return {
    path: file.path,
    namesFiles: true,
    entries: map.items.flatMap((pair) => entryOf(file, map, pair, { from: written, to })),
    nameOf: ({ path }) => path.slice(root.length),
    isSame,
    append: (from, next) => {
      const { key, value } = map.items.at(-1) ?? {}
      const styled = (text: string, like: unknown) =>
        yamlScalar(text, isScalar(like) ? styleOf(like) : 'plain')
      return append(file, map, `${styled(written(from), key)}: ${styled(to.write(next), value)}`)
    },
  }
}

function same(text: string): string {
  return text
}

function entryOf(
  file: YamlFile,
  map: YAMLMap,
  { key, value }: Pair,
  style: Required<Pick<RedirectStyle, 'from' | 'to'>>,
): RedirectEntry[] {
  const from = textOf(key)
  if (!isScalar(key) || from === undefined) return []
  const target = isScalar(value) ? value : undefined
  const [to, hash] = textOf(value)?.split('#', 2) ?? []
  const child = { start: startOf(key), end: Math.max(endOf(key), endOf(value)) }
  return [
    {
      from,
      to: to === undefined ? undefined : style.to.read(to),
      hash,
      retarget: (path, kept) =>
        target === undefined || to === undefined
          ? []
          : [scalarEdit(target, `${style.to.write(path)}${kept === undefined ? '' : `#${kept}`}`)],
      whole: target && {
        replace: (path, next) => [
          scalarEdit(key, style.from(path)),
          scalarEdit(target, style.to.write(next)),
        ],
        remove: () =>
          map.flow === true
            ? removeChild({ container: yamlContainer(file, map), child })
            : [{ start: lineStart(file.text, child.start), end: nextLine(file.text, child.end), text: '' }],
      },
    },
  ]
}

function append(file: YamlFile, map: YAMLMap, entry: string): Edit[] {
  const { text } = file
  const last = map.items.at(-1)
  if (last === undefined) {
    const at = (map.range?.[0] ?? 0) + 1
    return [{ start: at, end: at, text: entry }]
  }
  if (map.flow === true) return insertChild(yamlContainer(file, map), undefined, () => entry)
  const start = startOf(last)
  const indent = text.slice(lineStart(text, start), start)
  const at = nextLine(text, endOf(last))
  const ending = endingAt(text, start)
  const isWholeLine = text[at - 1] === '\n'
  return [
    { start: at, end: at, text: isWholeLine ? `${indent}${entry}${ending}` : `${ending}${indent}${entry}` },
  ]
}
