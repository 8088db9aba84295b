import { decodeExact } from '../text/text-file.ts'
import { type Workspace, quote } from '../workspace.ts'
import { ToolError } from './tool-error.ts'

/** A file's exact text, for editing. @throws ToolError `not_found`, `binary` or `not_utf8` */
export async function openText(
  workspace: Workspace,
  path: string,
): Promise<{ text: string; content: Uint8Array }> {
  const content = await openFile(workspace, path)
  const text = decodeExact(content)
  if (text !== undefined) return { text, content }
  if (content.includes(0))
    throw new ToolError('binary', `${quote(path)} is a binary file, which cannot be edited`)
  throw new ToolError('not_utf8', `${quote(path)} is not UTF-8, so it can be read but not edited`)
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
