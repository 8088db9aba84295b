import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../lib/errors.ts'
import { dataPaths } from '../data-folder.ts'
import { mirrorName } from './mirror-names.ts'

/**
 * The mirror of a project's repository, for commands on the same machine, which only know of a project what the API says.
 * @throws AppError `invalid` when it is not here
 */
export async function mirrorOfProject(
  dataFolder: string,
  {
    domain,
    kind,
    repository,
    organization,
  }: Record<'domain' | 'kind' | 'repository' | 'organization', string>,
): Promise<string> {
  const path = join(
    dataPaths(dataFolder).mirrors,
    mirrorName({ kind: 'https', location: repository, organizationId: organization }),
  )
  const isHere =
    kind === 'https' &&
    (await access(path).then(
      () => true,
      () => false,
    ))
  if (isHere) return path
  throw new AppError(
    'invalid',
    kind === 'https'
      ? `The repository of ${domain} is not in this data folder. Clone it, and name the clone with --folder`
      : `The repository of ${domain} is a folder on this server. Name it with --folder, and its docs folder with --root`,
  )
}
