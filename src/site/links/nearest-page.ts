import { nameOf } from './addresses.ts'

/** Finds the page that a path most likely means: the only one of its name. `pages` are read when the first is looked for. */
export function nearestPage(pages: () => readonly string[]): (path: string) => string | undefined {
  let byName: Map<string, string[]> | undefined
  return (path) => {
    byName ??= Map.groupBy(pages(), nameOf)
    const same = byName.get(nameOf(path.replaceAll('\\', '/'))) ?? []
    return same.length === 1 ? same[0] : undefined
  }
}
