import type { Project } from '../../features/projects/projects.ts'
import type { Session } from '../../features/projects/sign-in.ts'
import { mayPress } from '../../api/frame/html/may-press.ts'

/** Where the repository is. Folders of the server are told to those who set the project up, as nobody else can use them. */
export function locationFor(session: Session, project: Project): string {
  const isHidden = project.kind === 'path' && !mayPress(session, 'changeSettings', project)
  return isHidden ? 'a folder on the server' : project.location
}
