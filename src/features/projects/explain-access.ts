import type { HostAccess } from '../../integrations/forges/host.ts'
import type { OpenedRepository } from '../../integrations/forges/open-repository.ts'

/** What stands in the way of jobs, one sentence each; empty when nothing does. The assistant needs none of it. */
export function explainAccess(
  { host, hosted }: Pick<OpenedRepository, 'host' | 'hosted'>,
  access: HostAccess | undefined,
): string[] {
  if (host === undefined)
    return ['Nothing but git is known of this host: jobs push a branch, and people open its pull request']
  if (hosted === undefined || access === undefined)
    return [
      `There is no credential for ${host.name}: the assistant works, but jobs cannot publish until one is given with "project connect"`,
    ]
  const notes: string[] = []
  if (access.archived)
    notes.push(
      `${access.path} is archived: the assistant works, but jobs cannot publish until it is unarchived`,
    )
  if (access.missing.length > 0)
    notes.push(
      `The credential lacks ${access.missing.join(', ')}: the assistant works, but jobs cannot publish without`,
    )
  return notes
}
