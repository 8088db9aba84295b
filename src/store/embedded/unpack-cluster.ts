import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import type { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

/** An empty database cluster as the embedded store's own version makes it: scripts/prepare-cluster.ts. */
const archive = new URL('cluster-0.5.14.tar.br', import.meta.url)
const block = 512

/** Unpacks an empty cluster into `folder`, unless there is one. Creating one takes the embedded store seconds. */
export async function unpackCluster(folder: string): Promise<void> {
  if (existsSync(join(folder, 'PG_VERSION'))) return
  // The complete folder is moved into place, so that a process that dies here leaves nothing that looks like a
  // store.
  const draft = `${folder}.new`
  await rm(draft, { recursive: true, force: true })
  const tar = await promisify(brotliDecompress)(await readFile(archive))
  for (const { name, content } of entriesOf(tar)) {
    const path = join(draft, name)
    if (content === undefined) await mkdir(path, { recursive: true, mode: 0o700 })
    else await writeFile(path, content, { mode: 0o600 })
  }
  await mkdir(dirname(folder), { recursive: true })
  await rename(draft, folder)
}

// Reads only the parts of the ustar format that the archive uses: folders, and files with short names.
function* entriesOf(tar: Buffer): Generator<{ name: string; content: Buffer | undefined }> {
  const field = (at: number, length: number): string =>
    tar.toString('latin1', at, at + length).replace(/\0.*$/s, '')
  for (let at = 0; tar[at] !== 0;) {
    const size = Number.parseInt(field(at + 124, 12), 8)
    const isFolder = field(at + 156, 1) === '5'
    const start = at + block
    yield { name: field(at, 100), content: isFolder ? undefined : tar.subarray(start, start + size) }
    at = start + Math.ceil(size / block) * block
  }
}

const others = 0o077

interface Node {
  mode: number
}

/** What PGlite's own file system does with files. */
interface Operations {
  mknod(parent: Node, name: string, mode: number, device: number): Node
  setattr(node: Node, attributes: { mode?: number }): void
}

/** The files of the embedded store, for their owner alone: PGlite sets modes of its own, past the process's umask. */
export class PrivateNodeFS extends NodeFS {
  override async init(...[pglite, options]: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const setup = await super.init(pglite, options)
    const close = (module: { FS: PGlite['Module']['FS'] }): void => {
      const { node_ops: operations } = (module.FS.filesystems as { NODEFS: { node_ops: Operations } }).NODEFS
      const { mknod, setattr } = operations
      operations.mknod = (parent, name, mode, device) => mknod(parent, name, mode & ~others, device)
      operations.setattr = (node, attributes) =>
        setattr(
          node,
          attributes.mode === undefined ? attributes : { ...attributes, mode: attributes.mode & ~others },
        )
    }
    setup.emscriptenOpts.preRun = [...(setup.emscriptenOpts.preRun ?? []), close]
    return setup
  }
}
