import { z } from 'zod'
import type { CommitStatus } from '../host.ts'
import { apiPath } from '../http/api-path.ts'
import { repositoryPath } from './gitea-repository.ts'
import type { GiteaRepository } from './gitea-repository.ts'

/** The newest of a context counts, so the same again changes nothing. */
export async function setStatus(
  repository: GiteaRepository,
  commit: string,
  { state, description, link }: CommitStatus,
): Promise<void> {
  const path = `${repositoryPath(repository.path)}${apiPath`/statuses/${commit}`}`
  const target = /^https?:\/\//.test(link) ? { target_url: link } : {}
  const body = { state, description: description.slice(0, 250), context: 'docwright', ...target }
  await repository.client.operation(`set the status of a commit in ${repository.path}`, (api) =>
    api.replace('POST', path, body, z.unknown()),
  )
}
