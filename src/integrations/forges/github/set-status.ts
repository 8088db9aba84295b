import { z } from 'zod'
import type { CommitStatus } from '../host.ts'
import { apiPath } from '../http/api-path.ts'
import { repositoryPath } from './github-api.ts'
import type { GitHubRepository } from './github-repository.ts'

/** The newest of a context counts, so the same again changes nothing. */
export async function setStatus(
  repository: GitHubRepository,
  commit: string,
  { state, description, link }: CommitStatus,
): Promise<void> {
  const path = `${repositoryPath(repository.path)}${apiPath`/statuses/${commit}`}`
  const short = description.length > 140 ? `${description.slice(0, 139)}…` : description
  const target = /^https?:\/\//.test(link) ? { target_url: link } : {}
  await repository.client.operation(`set the status of a commit in ${repository.path}`, (api) =>
    api.replace('POST', path, { state, description: short, context: 'docwright', ...target }, z.unknown()),
  )
}
