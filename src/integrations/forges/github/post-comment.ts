import { z } from 'zod'
import { hasMarker, markComment } from '../comment-marker.ts'
import { apiPath } from '../http/api-path.ts'
import type { GitHubRepository } from './github-repository.ts'
import { repositoryPath } from './github-api.ts'
import { issuePath } from './pull-requests.ts'

const comment = z.object({ id: z.number(), body: z.string().nullish() })

export async function postComment(
  repository: GitHubRepository,
  number: number,
  body: string,
  marker: string,
): Promise<void> {
  const path = `${issuePath(repository, number)}/comments`
  await repository.client.operation(
    `comment on pull request ${number} of ${repository.path}`,
    async (api) => {
      const find = async (): Promise<z.output<typeof comment> | undefined> => {
        const all = await api.list(path, comment, { query: { per_page: 100 }, max: 1000 })
        return all.find((item) => hasMarker(item.body ?? '', marker))
      }
      return (await find()) ?? api.create(path, { body: markComment(body, marker) }, comment, find)
    },
  )
}

/** The same reaction again changes nothing. GitHub has none for what is written over a review. */
export async function react(repository: GitHubRepository, number: number, commentId: string): Promise<void> {
  const [, kind, id] = /^(comment|line)-(\d{1,19})$/.exec(commentId) ?? []
  if (kind === undefined || id === undefined) return
  const comments = kind === 'line' ? 'pulls' : 'issues'
  const path = `${repositoryPath(repository.path)}/${comments}${apiPath`/comments/${id}/reactions`}`
  await repository.client.operation(`react to a comment on pull request ${number}`, (api) =>
    api.replace('POST', path, { content: 'eyes' }, z.unknown()),
  )
}
