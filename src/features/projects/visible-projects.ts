import type { Reader } from '../../store/database.ts'
import type { Caller } from './allow.ts'
import { listProjects, type Project } from './projects.ts'

/** The projects that a caller may know of, oldest first. */
export async function listVisibleProjects(db: Reader, caller: Caller): Promise<Project[]> {
  if (caller.kind === 'stranger') return []
  if (caller.kind === 'key') return listProjects(db, caller.key.organizationId)
  const projects = await listProjects(db)
  if (caller.kind === 'operator' || caller.person.isOperator) return projects
  const { roles } = caller.person
  return projects.filter(({ organizationId }) => roles.has(organizationId))
}
