import { type WriteScope, optsOut, pathViolation } from '../../policy/check-changes.ts'
import { type Workspace } from '../../workspace/workspace.ts'
import { quote } from '../../../../lib/text/quote.ts'
import { ToolError } from '../../../../lib/tool-error.ts'
import { type Encoding, decodeText } from '../../../../site/text/encoding.ts'
import { isLfsPointer } from '../../../../site/text/lfs-pointer.ts'

/** Refuses early what the policy would refuse at the end. */
export interface PathGuard {
  allows(path: string): Promise<boolean>
  /** @throws ToolError `forbidden` */
  requireWritable(path: string): Promise<void>
}

export function createPathGuard(scope: WriteScope, workspace: Workspace): PathGuard {
  const optedOut = new Map<string, boolean>()
  /** Decided by the page in the base, so that the model cannot change it. */
  const isClosed = async (path: string): Promise<boolean> => {
    const known = optedOut.get(path)
    if (known !== undefined) return known
    const closed = optsOut(path, await workspace.readBase(path).catch(() => undefined))
    optedOut.set(path, closed)
    return closed
  }
  return {
    allows: async (path) => pathViolation(path, scope) === undefined && !(await isClosed(path)),
    requireWritable: async (path) => {
      const violation = pathViolation(path, scope)
      if (violation !== undefined) {
        const code = violation.code === 'path' ? 'invalid_path' : 'forbidden'
        throw new ToolError(code, `${quote(path)} cannot be changed. ${violation.message}`)
      }
      if (!(await isClosed(path))) return
      throw new ToolError(
        'forbidden',
        `${quote(path)} says in its front matter that no agent may change it: leave it as it is and say so in the summary`,
      )
    },
  }
}

/** A file's exact text, for reading and editing. @throws ToolError `not_found` or `binary` */
export async function openText(
  workspace: Workspace,
  path: string,
): Promise<{ text: string; encoding: Encoding; content: Uint8Array }> {
  const content = await openFile(workspace, path)
  const decoded = decodeText(content)
  if (decoded !== undefined) return { ...decoded, content }
  const what = isLfsPointer(content) ? 'is kept by Git LFS outside of the repository' : 'is a binary file'
  throw new ToolError('binary', `${quote(path)} ${what}, so it can be neither read nor edited`)
}

export async function openFile(workspace: Workspace, path: string): Promise<Uint8Array> {
  const content = await workspace.read(path)
  if (content !== undefined) return content
  if (workspace.has(path)) throw new ToolError('too_large', `${quote(path)} is too large to be read`)
  if (workspace.hasFolder(path))
    throw new ToolError('not_found', `${quote(path)} is a folder: use list_files`)
  throw new ToolError('not_found', `There is no file ${quote(path)}`, similarPaths(workspace, path))
}

function similarPaths(workspace: Workspace, path: string): { similar?: string[] } {
  const name = stem(path)
  const similar = workspace
    .list()
    .map((file) => file.path)
    .filter((other) => stem(other) === name)
    .slice(0, 5)
  return similar.length === 0 ? {} : { similar }
}

function stem(path: string): string {
  return path
    .slice(path.lastIndexOf('/') + 1)
    .replace(/\.[^.]+$/, '')
    .toLowerCase()
}
