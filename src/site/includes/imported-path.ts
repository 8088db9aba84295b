import type { Site } from '../site.ts'
import { folderOf, resolvePath } from '../text/paths.ts'

/** The path of a file that a page imports; undefined for packages and for aliases of a build. */
export function importedPath(
  { importFolders }: Pick<Site, 'importFolders'>,
  from: string,
  name: string,
): string | undefined {
  if (/^\.\.?(?:\/|$)/.test(name)) return resolvePath(folderOf(from), name)
  for (const [start, folder] of importFolders)
    if (name.startsWith(start)) return resolvePath(folder, name.slice(start.length))
  return undefined
}
