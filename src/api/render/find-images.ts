import type { Repository } from '../../integrations/git/git.ts'
import { openBlobReader } from '../../integrations/git/trees/blob-reader.ts'
import { changedFiles } from '../../integrations/git/trees/changed-files.ts'
import { treeEntries } from '../../integrations/git/trees/tree-entries.ts'
import { sha256 } from '../../lib/ids.ts'
import { isLfsPointer, longestPointer } from '../../site/text/lfs-pointer.ts'
import { decoded } from '../../lib/text/decoded.ts'

const images = /\.(?:png|jpe?g|gif|webp|avif|svg)$/i
/** Folders whose files sites serve from their root. */
const served = ['', 'public/', 'static/', 'assets/', 'source/', '.vitepress/public/', 'website/static/']
const most = 60

export function isImage(path: string): boolean {
  return images.test(path)
}

/**
 * Differs where an image that a page shows may be another one. While a job works, each of its trees is a new one, and
 * pages that it has not touched since are not printed again for that.
 */
export async function imagesVersion(repository: Repository, from: string, to: string): Promise<string> {
  const changed = await changedFiles(repository, from, to)
  const own = changed.filter(({ path, oldPath = path }) => isImage(path) || isImage(oldPath))
  return sha256(JSON.stringify([from, own.map(({ path, oldPath, oid, mode }) => [path, oldPath, oid, mode])]))
}

/** The files of a tree that the image addresses of a page mean, by address, as ids of their content. */
export async function findImages(
  repository: Repository,
  tree: string,
  page: string,
  addresses: readonly string[],
): Promise<Record<string, string>> {
  const candidates = new Map(
    addresses.slice(0, most).flatMap((address) => {
      const paths = pathsOf(page, address)
      return paths.length === 0 ? [] : [[address, paths] as const]
    }),
  )
  if (candidates.size === 0) return {}
  const entries = await treeEntries(repository, tree, [...candidates.values()].flat())
  const oids: Record<string, string> = Object.create(null)
  for (const [address, paths] of candidates) {
    const entry = paths.map((path) => entries.get(path)).find((one) => one?.mode.startsWith('100'))
    if (entry) oids[address] = entry.oid
  }
  return withoutPointers(repository, oids)
}

/** What Git LFS keeps elsewhere is no image here. */
async function withoutPointers(
  repository: Repository,
  found: Record<string, string>,
): Promise<Record<string, string>> {
  const oids = [...new Set(Object.values(found))]
  if (oids.length === 0) return found
  await using reader = await openBlobReader(repository, { maxBytes: longestPointer, deadline: 20_000 })
  const blobs = await reader.readSome(oids)
  const pointers = new Set(
    blobs.flatMap((blob) => (blob.state === 'read' && isLfsPointer(blob.content) ? [blob.oid] : [])),
  )
  for (const [address, oid] of Object.entries(found)) if (pointers.has(oid)) delete found[address]
  return found
}

function pathsOf(page: string, address: string): string[] {
  if (address.length > 1000 || /^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(address)) return []
  const path = decoded(address.replace(/[?#].*$/s, ''))
  if (!isImage(path)) return []
  const folders = page.split('/').slice(0, -1)
  const above = folders.map((_, index) => `${folders.slice(0, folders.length - index).join('/')}/`)
  const roots = [...above, ''].slice(-8)
  const fromRoot = (rest: string): string[] =>
    roots.flatMap((root) => served.map((folder) => `${root}${folder}${rest}`))
  if (path.startsWith('/')) return fromRoot(path.replace(/^\/+/, ''))
  if (path.startsWith('@site/')) return fromRoot(path.slice('@site/'.length))
  const parts = [...folders]
  for (const part of path.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return []
    } else if (part !== '.' && part !== '') parts.push(part)
  }
  const beside = parts.join('/')
  // Some frameworks show a page one level below its file.
  return path.startsWith('.') ? [beside] : [beside, ...fromRoot(path)]
}
