import { z } from 'zod'
import { hasMarker, markComment } from '../comment-marker.ts'
import type { CodeRequest, CodeRequests } from '../host.ts'
import { apiPath } from '../http/api-path.ts'
import { hostTime } from '../http/host-time.ts'
import { repositoryPath } from './github-api.ts'
import type { GitHubRepository } from './github-repository.ts'
import { issuePath, plainTitle } from './pull-requests.ts'

const repo = z.object({ id: z.number() }).nullish()
const codeRequest = z
  .object({
    number: z.number(),
    html_url: z.url({ protocol: /^https?$/ }),
    title: z.string(),
    body: z.string().nullish(),
    user: z.object({ login: z.string() }).nullish(),
    labels: z.object({ name: z.string() }).array().nullish(),
    updated_at: hostTime,
    head: z.object({ ref: z.string(), sha: z.string(), repo }),
    base: z.object({ ref: z.string(), repo }),
  })
  .transform(
    ({
      number,
      html_url: link,
      title,
      body,
      user,
      labels,
      updated_at: updatedAt,
      head,
      base,
    }): CodeRequest => ({
      number,
      link,
      title: plainTitle(title),
      body: body ?? '',
      head: head.ref,
      base: base.ref,
      headCommit: head.sha,
      isFork: !head.repo || head.repo.id !== base.repo?.id,
      author: user?.login ?? 'ghost',
      labels: (labels ?? []).map(({ name }) => name),
      updatedAt,
    }),
  )
const comment = z.object({ id: z.number(), body: z.string().nullish() })

export function gitHubCodeRequests(repository: GitHubRepository): CodeRequests {
  const { client, path } = repository
  return {
    list: () =>
      client.operation(`list the pull requests of ${path}`, (api) =>
        api.list(`${repositoryPath(path)}/pulls`, codeRequest, {
          query: { state: 'open', sort: 'updated', direction: 'desc', per_page: 50 },
          max: 50,
        }),
      ),
    async keepComment(number, body, marker, onlyEdit = false) {
      const place = `${issuePath(repository, number)}/comments`
      const text = markComment(body, marker)
      await client.operation(`comment on pull request ${number} of ${path}`, async (api) => {
        const find = async (): Promise<z.output<typeof comment> | undefined> => {
          const all = await api.list(place, comment, { query: { per_page: 100 }, max: 1000 })
          return all.find((one) => hasMarker(one.body ?? '', marker))
        }
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
