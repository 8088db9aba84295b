import type { HostAccess } from '../../../integrations/forges/host.ts'
import type { OpenedRepository } from '../../../integrations/forges/open-repository.ts'

const soon = 14 * 86_400_000

/** What stands in the way of jobs, one sentence each; empty when nothing does. The assistant needs none of it. */
export function explainAccess(
  { host, hosted }: Pick<OpenedRepository, 'host' | 'hosted'>,
  access: HostAccess | undefined,
  now: Date,
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
  if (access.missingForComments !== undefined)
    notes.push(
      `The credential lacks ${access.missingForComments}: ${host.name} does not tell it of everybody who may write, and comments of those it cannot judge become no follow-ups, but for people named with "project set --trusted"`,
    )
  const { expiresAt } = access
  if (expiresAt !== undefined && expiresAt.getTime() - now.getTime() < soon)
    notes.push(
      `The credential expires on ${expiresAt.toISOString().slice(0, 10)}: make a new one and give it with "project connect"`,
    )
  return notes
}
