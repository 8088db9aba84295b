import { fetchMirror } from '../../git/fetch-mirror.ts'
import { resolveBranches } from '../../git/resolve-branches.ts'
import type { LocalProject } from './local-project.ts'

/** Where both branches stand in the repository now; undefined for one that does not exist. */
export async function readBranches(
  project: Pick<LocalProject, 'repository' | 'remote'>,
  names: { head: string; base: string },
): Promise<{ head: string | undefined; base: string | undefined }> {
  await fetchMirror(project.repository, project.remote)
  const [head, base] = await resolveBranches(project.repository, [names.head, names.base])
  return { head, base }
}
