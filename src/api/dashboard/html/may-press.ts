import { mayDo, type Verb } from '../../../features/projects/allow.ts'
import type { Project } from '../../../features/projects/projects.ts'
import type { Session } from '../../../features/projects/sign-in.ts'

/** Whether to show somebody the button that does `verb` to a project. The verb itself is checked again. */
export function mayPress(
  { person }: Pick<Session, 'person'>,
  verb: Verb,
  { organizationId }: Pick<Project, 'organizationId'>,
): boolean {
  return mayDo({ kind: 'person', person }, verb, organizationId)
}
