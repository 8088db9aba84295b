import { z } from 'zod'
import type { CodeRequest, CodeRequests } from '../host.ts'
import { hostTime } from '../http/host-time.ts'
import { commentAnswer, nameOf, pullRequestAnswer } from './bitbucket-answers.ts'
import { listPages, type BitbucketRepository } from './bitbucket-repository.ts'
import type { Comments } from './pull-request-comments.ts'

const side = pullRequestAnswer.shape.source
const codeRequest = pullRequestAnswer.extend({
  source: side.extend({ commit: z.object({ hash: z.string() }).nullish() }),
  destination: side,
  author: commentAnswer.shape.user,
  updated_on: hostTime,
})

export function bitbucketCodeRequests(repository: BitbucketRepository, comments: Comments): CodeRequests {
  const { client, path, target } = repository
  return {
    list: () =>
      client.operation(`list pull requests in ${path}`, async (api) => {
        const query = { state: 'OPEN', sort: '-updated_on', pagelen: 50 }
        const open = await listPages(api, `${target}/pullrequests`, codeRequest, { query, max: 50 })
        return open.flatMap(toCodeRequest)
      }),
    keepComment: comments.keep,
  }
}

/** None without a commit: the branch or the fork is gone. Bitbucket has no labels, and shortens commits to 12 digits. */
function toCodeRequest(request: z.output<typeof codeRequest>): CodeRequest[] {
  const { id, links, title, description, source, destination, author, updated_on: updatedAt } = request
  if (!source.commit) return []
  return [
    {
      number: id,
      link: links.html.href,
      title,
      body: description ?? '',
      head: source.branch.name,
      base: destination.branch.name,
      headCommit: source.commit.hash,
      isFork: source.repository?.full_name !== destination.repository?.full_name,
      author: author?.type === 'app_user' ? `${nameOf(author)}[bot]` : nameOf(author),
      labels: [],
      updatedAt,
    },
  ]
}
