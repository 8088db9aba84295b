import { z } from 'zod'
import type { CommitStatus } from '../host.ts'
import { apiPath } from '../http/api-path.ts'
import type { BitbucketRepository } from './bitbucket-repository.ts'

const states = { pending: 'INPROGRESS', success: 'SUCCESSFUL', failure: 'FAILED' } as const

export async function setStatus(
  { client, path, source }: BitbucketRepository,
  commit: string,
  { state, description, link }: CommitStatus,
): Promise<void> {
  await client.operation(`set the status of a commit in ${path}`, async (api) => {
    const status = {
      // Of the same key there is one, which is replaced; at most 40 characters.
      key: 'docwright',
      name: 'Docwright',
      state: states[state],
      description: Array.from(description).slice(0, 255).join(''),
      url: link,
    }
    await api.replace('POST', `${source}/commit${apiPath`/${commit}`}/statuses/build`, status, z.unknown())
  })
}
