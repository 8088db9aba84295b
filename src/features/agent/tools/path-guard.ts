import { type WriteScope, optsOut, pathViolation } from '../policy/check-changes.ts'
import { type Workspace } from '../workspace/workspace.ts'
import { quote } from '../../../lib/quote.ts'
import { ToolError } from '../../../lib/tool-error.ts'

/** Tells the model at once what the policy would refuse at the end. */
export interface PathGuard {
  allows(path: string): Promise<boolean>
  /** @throws ToolError `forbidden` */
  requireWritable(path: string): Promise<void>
}

export function createPathGuard(scope: WriteScope, workspace: Workspace): PathGuard {
  const optedOut = new Map<string, boolean>()
  /** By the page as the job found it: what the model writes changes nothing about it. */
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
