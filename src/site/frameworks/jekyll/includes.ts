import type { IncludeForm, IncludePlace } from '../../pages/include-form.ts'
import { folderOf, resolvePath } from '../../text/paths.ts'

/** `{% include … %}` on a line; `foldersOf` says where such a file is looked up. */
export function liquidIncludes(
  foldersOf: (place: IncludePlace, isRelative: boolean) => readonly string[],
): IncludeForm {
  return {
    line(text, place) {
      const [, relative, name = ''] =
        /^\s*\{%-?\s{0,20}include(_relative)?\s{1,20}["']?([^\s"'%{}]{1,500}\.(?:md|markdown))["']?(?:\s[^%{}\n]{0,500})?%\}\s*$/.exec(
          text,
        ) ?? []
      if (name === '') return undefined
      const folders = foldersOf(place, relative !== undefined)
      return { paths: [...new Set(folders.flatMap((folder) => resolvePath(folder, name) ?? []))], part: {} }
    },
  }
}

export const jekyllIncludes = liquidIncludes(({ site, from }, isRelative) =>
  isRelative ? [folderOf(from), site.root] : [`${site.root}_includes/`, '_includes/'],
)
