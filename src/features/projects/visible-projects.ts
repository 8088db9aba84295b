import type { Reader } from '../../store/database.ts'
import { organizationsOf, type Caller } from './allow.ts'
import { listProjects, type Project } from './projects.ts'

/** The projects that a caller may know of, oldest first. */
export async function listVisibleProjects(db: Reader, caller: Caller): Promise<Project[]> {
  return listProjects(db, organizationsOf(caller))
}
