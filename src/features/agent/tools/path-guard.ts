import { type WriteScope, pathViolation } from '../policy/check-changes.ts'
import { quote } from '../workspace.ts'
import { ToolError } from './tool-error.ts'

/** Tells the model at once what the policy would refuse at the end. */
export interface PathGuard {
  allows(path: string): boolean
  /** @throws ToolError `forbidden` */
  requireWritable(path: string): void
}

export function createPathGuard(scope: WriteScope): PathGuard {
  return {
    allows: (path) => pathViolation(path, scope) === undefined,
    requireWritable: (path) => {
      const violation = pathViolation(path, scope)
      if (violation === undefined) return
      const code = violation.code === 'path' ? 'invalid_path' : 'forbidden'
      throw new ToolError(code, `${quote(path)} cannot be changed. ${violation.message}`)
    },
  }
}
