import type { ReadFile } from '../../files.ts'
import type { NavigationPlace } from '../../navigation/navigation-tree.ts'
import { attributesFor } from '../../asciidoc/attributes.ts'
import { expandLines } from '../../asciidoc/expand.ts'
import { readMacro } from '../../asciidoc/macros.ts'
import type { AsciidocSettings } from '../../asciidoc/settings.ts'

/** The pages that the lists of a component's navigation name, with the groups that they are in. */
export async function antoraNavigation(
  read: ReadFile,
  files: readonly string[],
  settings: AsciidocSettings,
): Promise<{ places: Map<string, NavigationPlace>; files: string[] }> {
  const places = new Map<string, NavigationPlace>()
  const all: string[] = []
  for (const file of files.slice(0, 100)) {
    const source = await read(file)
    all.push(file)
    if (source === undefined) continue
    const { lines, included } = await expandLines({ path: file, settings }, source, read)
    all.push(...included)
    const attributes = attributesFor(settings, file)
    let title: string[] = []
    const above: { depth: number; label: string }[] = []
    for (const { text: raw } of lines.slice(0, 20_000)) {
      const text = raw.trim()
      if (attributes.read(text)) continue
      if (/^\.[^\s.]/.test(text)) {
        title = [labelIn(attributes.fill(text.slice(1))).label]
        above.length = 0
        continue
      }
      const [, marks = '', entry = ''] = /^(\*{1,9}|\.{1,9}|-)\s+(\S.*)$/.exec(text) ?? []
      if (marks === '') continue
      const { label, target } = labelIn(attributes.fill(entry))
      while ((above.at(-1)?.depth ?? 0) >= marks.length) above.pop()
      const groups = [...title, ...above.map((one) => one.label)].filter((one) => one !== '')
      const [name = ''] = target?.split('#') ?? []
      const path = name === '' ? undefined : settings.fileOf(file, name, 'page')
      const isWhole = target?.includes('#') !== true
      if (path !== undefined && !places.has(path))
        places.set(path, { label: label === '' || !isWhole ? undefined : label, groups })
      above.push({ depth: marks.length, label })
    }
  }
  return { places, files: all }
}

function labelIn(entry: string): { label: string; target: string | undefined } {
  const at = entry.indexOf('xref:')
  const macro =
    at === -1
      ? readMacro(entry, Math.max(0, entry.search(/(?:link|https?):/)), new Set())
      : readMacro(entry, at, new Set())
  const plain = (text: string) => text.replaceAll(/[`*_]{1,2}(?=\S)|(?<=\S)[`*_]{1,2}(?!\w)/g, '').trim()
  if (macro === undefined) return { label: plain(entry), target: undefined }
  return { label: plain(macro.body), target: macro.name === 'xref' ? macro.target : undefined }
}
