import type { CodeSite } from './read-navigation.ts'
import type { Region } from './sidebar.ts'

/** A file of code that holds navigation, and the parts of it that may be edited as data. */
export interface NavigationFile {
  path: string
  framework: CodeSite['framework']
  /** Of the text that the regions were found in. */
  length: number
  /** In their order; none is in another. */
  regions: readonly { start: number; end: number; kind: Region['kind'] }[]
}

export function navigationFiles(
  framework: CodeSite['framework'],
  regions: readonly Region[],
): NavigationFile[] {
  const files = new Map<string, NavigationFile & { regions: NavigationFile['regions'][number][] }>()
  for (const { script, node, kind } of regions) {
    const { path, text } = script
    const file = files.get(path) ?? { path, framework, length: text.length, regions: [] }
    file.regions.push({ start: node.start, end: node.end, kind })
    files.set(path, file)
  }
  return [...files.values()]
}
