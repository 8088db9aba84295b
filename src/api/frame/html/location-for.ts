import { basename } from 'node:path'
import type { Project } from '../../../features/projects/projects.ts'

/** Where the repository is, without the path of a folder: pages do not show how the server is set up. */
export function locationFor({ kind, location }: Pick<Project, 'kind' | 'location'>): string {
  return kind === 'path' ? `Folder ${basename(location)} on the server` : location
}
