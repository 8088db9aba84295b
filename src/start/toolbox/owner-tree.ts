import type { BaseTree } from '../../features/agent/workspace/base-tree.ts'
import type { TreeEntry } from '../../integrations/git/trees/list-tree.ts'
import type { Owner } from '../../lib/threads/answer-tasks.ts'
import type { ToolboxContract, ToolboxReply, ToolboxRequest } from './thread-tasks.ts'

export type ToolboxOwner = Owner<ToolboxContract>

/** A tree whose files are read and searched by the main thread. `tree` is what that knows it by. */
export function ownerTree(owner: ToolboxOwner, tree: string, files: readonly TreeEntry[]): BaseTree {
  const readSome = async (paths: readonly string[]): Promise<(Uint8Array | undefined)[]> =>
    (await askOwner(owner, { kind: 'read', tree, paths })).contents
  return {
    listFiles: async () => files,
    read: async (path) => (await readSome([path]))[0],
    readSome,
    grep: async (changes, pattern, options) =>
      (await askOwner(owner, { kind: 'grep', tree, changes, pattern, options })).found,
    history: {
      log: async (query) => (await askOwner(owner, { kind: 'log', tree, query })).log,
      tags: async (limit) => (await askOwner(owner, { kind: 'tags', tree, limit })).tags,
      show: async (commit, path) => (await askOwner(owner, { kind: 'commit', tree, commit, path })).shown,
      diff: (input) => askOwner(owner, { kind: 'diff', tree, ...input }),
    },
  }
}

/** @throws what the main thread could not do */
export async function askOwner<Kind extends ToolboxRequest['kind']>(
  owner: ToolboxOwner,
  request: Extract<ToolboxRequest, { kind: Kind }>,
): Promise<Extract<ToolboxReply, { kind: Kind }>> {
  return (await owner.ask(request)) as Extract<ToolboxReply, { kind: Kind }>
}
