import { type Pair, type Scalar, type YAMLMap, isMap, isScalar, isSeq } from 'yaml'
import { type Edit, endingAt } from '../text/text-file.ts'
import { yamlScalar } from '../text/yaml-scalar.ts'
import {
  type YamlSource as ConfigSource,
  endOf,
  lineStart,
  nextLine,
  pairOf,
  scalarEdit,
  startOf,
  textOf,
} from '../text/yaml-source.ts'
import type { FileEdits } from './navigation.ts'

/** Where the redirects plugin has its list of pages, or where one can be begun. */
interface RedirectMaps {
  source: ConfigSource
  maps: YAMLMap | undefined
  /** The plugin's name as it stands in the list of plugins. */
  name: Scalar
  /** `redirect_maps` without a value. */
  empty: Pair | undefined
  bare: boolean
}

export function redirectMaps(sources: readonly ConfigSource[]): RedirectMaps | undefined {
  for (const source of sources) {
    const plugins = pairOf(source.contents, 'plugins')?.value
    const items: unknown[] = isSeq(plugins) ? plugins.items : [plugins]
    for (const item of items) {
      if (isScalar(item) && textOf(item) === 'redirects')
        return { source, maps: undefined, name: item, empty: undefined, bare: true }
      const plugin = pairOf(item, 'redirects')
      if (plugin === undefined || !isScalar(plugin.key)) continue
      const maps = pairOf(plugin.value, 'redirect_maps')
      return {
        source,
        maps: isMap(maps?.value) ? maps.value : undefined,
        name: plugin.key,
        empty: isMap(maps?.value) ? undefined : maps,
        bare: false,
      }
    }
  }
  return undefined
}

/** Sends the old page to the new one; older redirects to it go straight to the new, none makes a circle. */
export function redirectEdits(target: RedirectMaps, page: { from: string; to: string }): FileEdits {
  const { source, maps } = target
  if (maps === undefined) return { path: source.path, edits: [begin(target, page)] }
  const edits: Edit[] = []
  let known = false
  let circle: Pair | undefined
  for (const pair of maps.items) {
    const from = textOf(pair.key)
    const to = textOf(pair.value)
    if (from === page.to) circle = pair
    if (!isScalar(pair.value) || to === undefined) continue
    const [path, hash] = to.split('#', 2)
    if (from === page.from) {
      known = true
      edits.push(scalarEdit(pair.value, page.to))
    } else if (path === page.from)
      edits.push(scalarEdit(pair.value, hash === undefined ? page.to : `${page.to}#${hash}`))
  }
  // A redirect of the page's new place would lead away from it: its line becomes the new one.
  if (circle !== undefined && !known && isScalar(circle.key) && isScalar(circle.value)) {
    edits.push(scalarEdit(circle.key, page.from), scalarEdit(circle.value, page.to))
    return {
      path: source.path,
      edits: edits.filter(
        (edit, index) => edits.findLastIndex((other) => other.start === edit.start) === index,
      ),
    }
  }
  if (!known) edits.push(append(source.text, maps, page))
  return { path: source.path, edits }
}

function append(text: string, maps: YAMLMap, page: { from: string; to: string }): Edit {
  const last = maps.items.at(-1)
  const entry = `${yamlScalar(page.from)}: ${yamlScalar(page.to)}`
  if (last === undefined || maps.flow === true) {
    const at = last === undefined ? (maps.range?.[0] ?? 0) + 1 : endOf(last)
    return { start: at, end: at, text: last === undefined ? entry : `, ${entry}` }
  }
  const start = startOf(last)
  const indent = text.slice(lineStart(text, start), start)
  const at = nextLine(text, endOf(last))
  const ending = endingAt(text, start)
  return {
    start: at,
    end: at,
    text: text[at - 1] === '\n' ? `${indent}${entry}${ending}` : `${ending}${indent}${entry}`,
  }
}

function begin({ source, name, empty, bare }: RedirectMaps, page: { from: string; to: string }): Edit {
  const { text } = source
  const start = startOf(name)
  const indent = ' '.repeat(start - lineStart(text, start) + 2)
  const ending = endingAt(text, start)
  const entry = `${ending}${indent}  ${yamlScalar(page.from)}: ${yamlScalar(page.to)}`
  if (empty !== undefined) {
    const at = text.indexOf(':', endOf(empty.key)) + 1
    return { start: at, end: at, text: entry }
  }
  const end = endOf(name)
  const at = bare ? end : text.indexOf(':', end) + 1
  return { start: at, end: at, text: `${bare ? ':' : ''}${ending}${indent}redirect_maps:${entry}` }
}
