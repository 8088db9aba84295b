import type { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

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
    const made = await super.init(pglite, options)
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
    made.emscriptenOpts.preRun = [...(made.emscriptenOpts.preRun ?? []), close]
    return made
  }
}
