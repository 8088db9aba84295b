import { z } from 'zod'
import { hasMarker, markComment } from '../comment-marker.ts'
import { apiPath } from '../http/api-path.ts'
import { isAnswer } from '../http/host-failure.ts'
import { repositoryPath, type GiteaRepository } from './gitea-repository.ts'
import { issuePath } from './pull-requests.ts'

const comment = z.object({ id: z.number(), body: z.string().nullish() })

export async function postComment(
  repository: GiteaRepository,
  number: number,
  body: string,
  marker: string,
): Promise<void> {
  const path = `${issuePath(repository, number)}/comments`
  await repository.client.operation(
    `comment on pull request ${number} of ${repository.path}`,
    async (api) => {
      const find = async (): Promise<z.output<typeof comment> | undefined> =>
        (await api.get(path, comment.array())).find((item) => hasMarker(item.body ?? '', marker))
      return (await find()) ?? api.create(path, { body: markComment(body, marker) }, comment, find)
    },
  )
}

/**
 * Adding the same reaction again changes nothing. A review's own text cannot have reactions, and a server may have
 * switched them off.
 */
export async function react(repository: GiteaRepository, number: number, commentId: string): Promise<void> {
  const id = /^comment-(\d{1,19})$/.exec(commentId)?.[1]
  if (id === undefined) return
  const path = `${repositoryPath(repository.path)}${apiPath`/issues/comments/${id}/reactions`}`
  try {
    await repository.client.operation(`react to a comment on pull request ${number}`, (api) =>
      api.replace('POST', path, { content: 'eyes' }, z.unknown()),
    )
  } catch (error) {
    if (isAnswer(error, 403) && /not an allowed reaction|forbidden reaction/i.test(error.detail)) return
    throw error
  }
}
