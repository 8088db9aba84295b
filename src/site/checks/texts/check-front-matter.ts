import type { Finding } from '../problem.ts'
import type { FileVersion } from '../tree-change.ts'
import { findFrontMatter, readFrontMatter } from '../../markdown/front-matter.ts'
import { lineFinder } from '../../text/text-file.ts'
import { openYaml, startOf } from '../../text/yaml-source.ts'
import { isMap, isScalar } from 'yaml'

/** Front matter that is never closed, names a key twice, or lacks what the framework needs of a page. */
export function checkFrontMatter(file: FileVersion): Finding[] {
  const { path, text, site } = file
  if (!file.isMarkdown) return []
  const { data, problem, bodyStart } = readFrontMatter(text)
  if (bodyStart <= 1) {
    const open = unclosed(text.split('\n', 2))
    if (open !== undefined) return [open]
  }
  // The check of the whole site reports front matter that cannot be read.
  if (problem !== undefined) return []
  const keys = topKeys(text)
  const doubled = doubledKeys(keys)
  if (site.pageFor(path, data) === undefined) return doubled
  const needed = site.customs.needsOf?.(data, path) ?? []
  return [
    ...doubled,
    ...needed.map(({ key, ...rest }) =>
      finding({ ...rest, line: keys.find(({ name }) => name === key)?.line ?? 1 }),
    ),
  ]
}

function finding({ line, message, hint }: { line: number; message: string; hint: string }): Finding {
  return { check: 'front_matter', line, message, hint }
}

function unclosed([first = '', second = '']: readonly string[]): Finding | undefined {
  if (first.replace('\uFEFF', '').trimEnd() !== '---' || !/^[A-Za-z_][\w-]*:(?:\s|$)/.test(second))
    return undefined
  return finding({
    line: 1,
    message: 'The front matter is never closed',
    hint: 'Close it with a line of --- before the text starts',
  })
}

interface Key {
  name: string
  line: number
}

/** Keys of the top level, with the lines that they stand on. */
function topKeys(text: string): Key[] {
  const block = findFrontMatter(text)
  if (block?.language !== 'yaml') return []
  const contents = openYaml(text.slice(block.start, block.end))?.contents
  const lineOf = lineFinder(text)
  return (isMap(contents) ? contents.items : []).flatMap((pair) =>
    isScalar(pair.key) ? [{ name: String(pair.key.value), line: lineOf(block.start + startOf(pair)) }] : [],
  )
}

function doubledKeys(keys: readonly Key[]): Finding[] {
  return keys
    .filter(({ name }, at) => keys.findIndex((key) => key.name === name) < at)
    .map(({ name, line }) =>
      finding({
        line,
        message: `The front matter has the key ${JSON.stringify(name)} twice`,
        hint: `Keep one of the two lines of ${name}`,
      }),
    )
}
