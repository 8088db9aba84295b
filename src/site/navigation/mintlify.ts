import type { Node } from 'jsonc-parser'
import type { Site } from '../frameworks/site.ts'
import { lineFinder, type Edit } from '../text/text-file.ts'
import { ToolError } from '../../lib/tool-error.ts'
import { chooseMintlifyPlace, groupNames } from './mintlify-place.ts'
import { type PageNode, collectPages } from './mintlify-pages.ts'
import {
  type JsonFile,
  insertElement,
  openJson,
  property,
  removeChild,
  replaceNode,
  stringOf,
} from './json-file.ts'
import {
  type FileEdits,
  type Navigation,
  type NavigationEntry,
  type ReadText,
  mergeEdits,
} from './navigation.ts'
import { redirectEdits } from './mintlify-redirects.ts'

const maxFiles = 200
const maxDepth = 60

/** Mintlify's `docs.json` or `mint.json` with the files that its `$ref` entries bring in. */
export async function openMintlify(
  read: ReadText,
  input: { site: Site; paths: ReadonlySet<string>; config: string },
): Promise<Navigation | undefined> {
  const { site, config } = input
  const source = await read(config)
  if (source === undefined) return undefined
  const files = await openFiles(read, input, source)
  const main = files.get(config)
  const found = main === undefined ? undefined : collectPages(files, main, input)
  if (main === undefined || found === undefined) return undefined
  const { pages, lists, follow } = found
  const finders = new Map([...files.values()].map((file) => [file, lineFinder(file.text)]))
  const entries = pages
    .filter((page) => !isOperation(page.text))
    .map(({ file, node, text, path, group }): NavigationEntry => ({
      file: file.path,
      line: finders.get(file)?.(node.offset) ?? 1,
      text,
      path,
      group,
    }))

  return {
    entries,
    groups: groupNames(lists),
    hasRedirects: true,
    move: ({ from, to, fromUrl, toUrl }) =>
      mergeEdits([
        ...pages
          .filter((page) => page.path === from)
          .map((page) => edit(page.file, replaceNode(page.node, written(to, page.text, site.root)))),
        ...[...files.values()].map((file) => ({
          path: file.path,
          edits: addressEdits(file, fromUrl, toUrl),
        })),
        ...redirectEdits({ main, follow, fromUrl, toUrl }),
      ]),
    remove: (path) => mergeEdits(pages.filter((page) => page.path === path).map(removal)),
    add: (page) => {
      if (pages.some((entry) => entry.path === page.path)) return []
      const place = chooseMintlifyPlace({ pages, lists, ...page })
      const text = written(page.path, place.like ?? '', site.root)
      return [
        edit(
          place.list.file,
          insertElement(place.list.file, place.list.list, place.index, JSON.stringify(text)),
        ),
      ]
    },
  }
}

async function openFiles(
  read: ReadText,
  { site, config }: { site: Site; config: string },
  source: string,
): Promise<Map<string, JsonFile>> {
  const files = new Map([[config, openJson(config, source)]])
  for (const path of site.configPaths.slice(0, maxFiles)) {
    const text = path === config || !path.endsWith('.json') ? undefined : await read(path)
    if (text !== undefined) files.set(path, openJson(path, text))
  }
  return files
}

function edit(file: JsonFile, change: Edit): FileEdits {
  return { path: file.path, edits: [change] }
}

/** Removes an entry, and the group that it leaves empty. */
function removal(page: PageNode): FileEdits {
  let { node: child, parent } = page
  if (parent.type === 'property') {
    // A group's own page: the whole property goes.
    child = parent
    const owner = parent.parent
    if (owner === undefined) throw new ToolError('internal', 'A property stands in nothing')
    return edit(page.file, removeChild(owner, child))
  }
  while (parent.children?.length === 1) {
    const group = parent.parent?.parent
    const list = group?.parent
    if (group === undefined || list?.type !== 'array' || property(group, 'root') !== undefined) break
    child = group
    parent = list
  }
  return edit(page.file, removeChild(parent, child))
}

/** A page as an entry names it, with the slash and the extension that `like` has. */
function written(path: string, like: string, root: string): string {
  const inside = path.slice(root.length)
  const extension = /\.mdx?$/.test(like)
  const text = extension ? inside : inside.replace(/\.mdx?$/, '')
  return like.startsWith('/') ? `/${text}` : text
}

/** Links of the navigation bar, footer and tabs that hold the old address. */
function addressEdits(file: JsonFile, fromUrl: string, toUrl: string): Edit[] {
  const edits: Edit[] = []
  const visit = (node: Node, depth: number): void => {
    if (depth > maxDepth) return
    if (node.type === 'property') {
      const [key, value] = node.children ?? []
      const text = stringOf(value)
      if (value !== undefined && text !== undefined && (key?.value === 'href' || key?.value === 'url')) {
        const [, address = '', rest = ''] = /^([^?#]*)([^]*)$/.exec(text) ?? []
        if (address === fromUrl && fromUrl !== '/') edits.push(replaceNode(value, `${toUrl}${rest}`))
      }
    }
    for (const child of node.children ?? []) visit(child, depth + 1)
  }
  visit(file.root, 0)
  return edits
}

function isOperation(text: string): boolean {
  return (
    /^(?:[A-Z]{3,7}|webhook)\s/i.test(text) ||
    /^[a-z][a-z\d+.-]*:\/\//i.test(text) ||
    /\.(?:json|ya?ml)\s/.test(text)
  )
}
