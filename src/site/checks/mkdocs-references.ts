import { isScalar, isSeq } from 'yaml'
import { folderOf, resolvePath } from '../text/paths.ts'
import { openYaml, pairOf, textOf } from '../text/yaml-source.ts'
import type { Site } from '../frameworks/site.ts'
import type { SiteView } from './site-view.ts'
import type { Reference } from './snippet-reference.ts'
import type { FileVersion } from './tree-change.ts'

const known = new WeakMap<Site, Promise<string[] | undefined>>()

/** Folders that snippets are looked up in; undefined when the site has no snippets, or it cannot be told where they are. */
export function mkdocsSnippetFolders({ view, site }: FileVersion): Promise<string[] | undefined> {
  const folders = known.get(site) ?? readFolders(view, site)
  known.set(site, folders)
  return folders
}

async function readFolders(view: SiteView, site: Site): Promise<string[] | undefined> {
  const [config = ''] = site.configPaths
  const folders = ['', folderOf(config), site.root]
  let isUsed = false
  for (const path of site.configPaths) {
    const text = (await view.text(path)) ?? ''
    if (!text.includes('snippets')) continue
    isUsed = true
    const extensions = pairOf(openYaml(text)?.contents, 'markdown_extensions')?.value
    const entries: unknown[] = isSeq(extensions) ? extensions.items : [extensions]
    for (const entry of entries) {
      const options = pairOf(entry, 'pymdownx.snippets')?.value
      const given = pairOf(options, 'base_path')?.value
      for (const node of isSeq(given) ? given.items : [given]) {
        if (!isScalar(node)) continue
        const folder = textOf(node)
        // What a variable or a tag says is only known when the site is built.
        if (folder === undefined || folder.includes('$') || node.tag?.startsWith('!') === true)
          return undefined
        folders.push(resolvePath(folderOf(config), folder) ?? '')
      }
    }
  }
  return isUsed ? [...new Set(folders)] : undefined
}

const single = /^[ \t]*-{1,10}8<-{1,10}[ \t]+(?:"([^"\n]{1,500})"|'([^'\n]{1,500})')/
const block = /^[ \t]*-{1,10}8<-{1,10}[ \t]*$/

/** `--8<-- "file"` and blocks of such lines, in code too: they are filled in before anything else is read. */
export function mkdocsReferences({ lines }: FileVersion, folders: readonly string[]): Reference[] {
  const found: Reference[] = []
  let isOpen = false
  for (const [at, { text }] of lines.entries()) {
    if (block.test(text)) {
      isOpen = !isOpen
      continue
    }
    const match = single.exec(text)
    const name = isOpen ? text.trim() : (match?.[1] ?? match?.[2])
    if (name === undefined || name === '' || name.length > 500 || /^(?:;|[a-z]+:\/\/)/i.test(name)) continue
    // Lines or a section of the file may be named behind it.
    const [path = ''] = name.split(':', 1)
    const candidates = folders.flatMap((folder) => resolvePath(folder, path) ?? [])
    found.push({ line: at + 1, text: name, candidates, isCode: false })
  }
  return found
}
