import { isScalar, isSeq } from 'yaml'
import type { ReadFile } from '../../files.ts'
import type { IncludePlace } from '../../pages/include-form.ts'
import { folderOf, resolvePath } from '../../text/paths.ts'
import { openYaml, pairOf, textOf } from '../../text/yaml-source.ts'

const known = new WeakMap<IncludePlace['site'], Promise<string[] | undefined>>()

/**
 * The folders in which a site of MkDocs looks up what `--8<--` names; undefined when it has no snippets, or it cannot
 * be told where they are.
 */
export function snippetFolders(site: IncludePlace['site'], read: ReadFile): Promise<string[] | undefined> {
  const folders = known.get(site) ?? readFolders(site, read)
  known.set(site, folders)
  return folders
}

async function readFolders(site: IncludePlace['site'], read: ReadFile): Promise<string[] | undefined> {
  const [config = ''] = site.configPaths
  const folders = ['', folderOf(config), site.root]
  let isUsed = false
  for (const path of site.configPaths) {
    const text = (await read(path)) ?? ''
    if (!text.includes('snippets')) continue
    isUsed = true
    const extensions = pairOf(openYaml(text)?.contents, 'markdown_extensions')?.value
    const entries: unknown[] = isSeq(extensions) ? extensions.items : [extensions]
    for (const entry of entries) {
      const options = pairOf(entry, 'pymdownx.snippets')?.value
      const basePath = pairOf(options, 'base_path')?.value
      for (const node of isSeq(basePath) ? basePath.items : [basePath]) {
        if (!isScalar(node)) continue
        const folder = textOf(node)
        // Values of variables and tags are only known when the site is built.
        if (folder === undefined || folder.includes('$') || node.tag?.startsWith('!') === true)
          return undefined
        folders.push(resolvePath(folderOf(config), folder) ?? '')
      }
    }
  }
  return isUsed ? [...new Set(folders)] : undefined
}
