import { folderOf, relativePath } from '../text/paths.ts'
import { isMdx } from './check-mdx.ts'
import { mdxReferences } from './mdx-references.ts'
import { type Finding, short } from './problem.ts'
import { mkdocsReferences, mkdocsSnippetFolders } from './mkdocs-references.ts'
import { type Reference, isThere } from './snippet-reference.ts'
import type { FileVersion } from './tree-change.ts'
import { vitepressReferences } from './vitepress-references.ts'

const maxMissing = 50

/** Whether the files that a page imports or includes are there. */
export async function checkSnippets(file: FileVersion): Promise<Finding[]> {
  if (!file.isMarkdown) return []
  const files = file.view.oids()
  return (await referencesOf(file))
    .filter((reference) => !isThere(files, reference))
    .slice(0, maxMissing)
    .map(({ line, text }) => {
      const near = nearest(files, file.path, text)
      return {
        check: 'snippet',
        line,
        href: text,
        message: `The page includes ${short(text)}, which is no file of the repository`,
        hint: near === undefined ? 'Write the path of a file that exists' : `It may be ${near}`,
      }
    })
}

async function referencesOf(file: FileVersion): Promise<Reference[]> {
  const { framework } = file.site
  if (framework === 'vitepress') return vitepressReferences(file)
  if (framework === 'mkdocs') {
    const folders = await mkdocsSnippetFolders(file)
    return folders === undefined ? [] : mkdocsReferences(file, folders)
  }
  return isMdx(file) ? mdxReferences(file) : []
}

/** The only file of that name, as seen from the page. */
function nearest(files: ReadonlyMap<string, string>, from: string, text: string): string | undefined {
  const name = text.split(/[?#:]/, 1)[0]?.split('/').at(-1) ?? ''
  if (name === '') return undefined
  const found = [...files.keys()].filter((path) => path === name || path.endsWith(`/${name}`))
  const [only] = found
  return only !== undefined && found.length === 1 ? relativePath(folderOf(from), only) : undefined
}
