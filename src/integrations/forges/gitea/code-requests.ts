import { z } from 'zod'
import { hasMarker, markComment } from '../comment-marker.ts'
import type { CodeRequest, CodeRequests } from '../host.ts'
import { apiPath } from '../http/api-path.ts'
import { hostTime } from '../http/host-time.ts'
import { byNumber, pageSize, repositoryPath, type GiteaRepository } from './gitea-repository.ts'
import { headBranch, issuePath, plainTitle, pullRequest, stateOf } from './pull-requests.ts'

const codeRequest = pullRequest.extend({
  user: z.object({ login: z.string() }).nullish(),
  labels: z.object({ name: z.string() }).array().nullish(),
  updated_at: hostTime,
  head: pullRequest.shape.head.extend({ sha: z.string() }),
})
const comment = z.object({ id: z.number(), body: z.string().nullish() })

function toCodeRequest(request: z.output<typeof codeRequest>): CodeRequest {
  const { number, html_url: link, title, body, user, labels, updated_at: updatedAt, head, base } = request
  return {
    number,
    link,
    title: plainTitle(title),
    body: body ?? '',
    head: headBranch(request),
    base: base.label || base.ref,
    headCommit: head.sha,
    isFork: head.repo_id == null || head.repo_id !== base.repo_id,
    author: user?.login ?? 'Ghost',
    labels: (labels ?? []).map(({ name }) => name),
    updatedAt,
  }
}

export function giteaCodeRequests(repository: GiteaRepository): CodeRequests {
  const { client, path } = repository
  return {
    list: () =>
      client.operation(`list the pull requests of ${path}`, async (api) => {
        const list = await api.list(`${repositoryPath(path)}/pulls`, codeRequest, {
          query: { state: 'open', sort: 'recentupdate', limit: pageSize },
          max: 50,
          pages: byNumber,
        })
        return list.filter((request) => stateOf(request) === 'open').map(toCodeRequest)
      }),
    async keepComment(number, body, marker, onlyEdit = false) {
      const place = `${issuePath(repository, number)}/comments`
      const text = markComment(body, marker)
      await client.operation(`comment on pull request ${number} of ${path}`, async (api) => {
        const find = async (): Promise<z.output<typeof comment> | undefined> =>
          (await api.get(place, comment.array())).find((one) => hasMarker(one.body ?? '', marker))
        const present = await find()
        if (present === undefined) {
          if (!onlyEdit) await api.create(place, { body: text }, comment, find)
        } else if (present.body?.trim() !== text.trim()) {
          const address = `${repositoryPath(path)}${apiPath`/issues/comments/${present.id}`}`
          await api.replace('PATCH', address, { body: text }, comment)
        }
      })
    },
  }
}
