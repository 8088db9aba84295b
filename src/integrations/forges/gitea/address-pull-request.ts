import { z } from 'zod'
import type { NewRequest } from '../forge.ts'
import { encodeSegments } from '../http/api-path.ts'
import type { HostApi } from '../http/host-client.ts'
import { HostFailure } from '../http/host-failure.ts'
import { byNumber, pageSize, repositoryPath } from './gitea-repository.ts'
import type { GiteaRepository } from './gitea-repository.ts'
import { issuePath, requestPath } from './pull-requests.ts'

const label = z.object({ id: z.number(), name: z.string() })
type Label = z.output<typeof label>

/** Labels, reviewers and assignees: what Gitea does not take is left out, for the pull request is there already. */
export async function addressPullRequest(
  api: HostApi,
  repository: GiteaRepository,
  number: number,
  { labels = [], reviewers = [], assignees = [] }: NewRequest,
): Promise<void> {
  const issue = issuePath(repository, number)
  if (labels.length > 0) {
    await attempt(async () => {
      const ids = await findLabels(api, repository, labels)
      if (ids.length > 0) await api.replace('POST', `${issue}/labels`, { labels: ids }, z.unknown())
    })
  }
  const path = requestPath(repository, number)
  // For one who is unknown, the address of the issue would answer 500, as if it were in trouble.
  const assign = (names: readonly string[]): Promise<boolean> =>
    attempt(() => api.replace('PATCH', path, { assignees: names }, z.unknown()))
  if (assignees.length > 0 && !(await assign(assignees)) && assignees.length > 1) {
    // One spoils it for all, and who is not named again is taken away.
    const taken: string[] = []
    for (const name of assignees) if (await assign([...taken, name])) taken.push(name)
  }
  const ask = (names: readonly string[]): Promise<boolean> =>
    attempt(() => api.replace('POST', `${path}/requested_reviewers`, reviewersBody(names), z.unknown()))
  if (reviewers.length === 0 || (await ask(reviewers))) return
  // One that is unknown, or the author, spoils it for all.
  if (reviewers.length > 1) for (const reviewer of reviewers) await ask([reviewer])
}

function reviewersBody(names: readonly string[]): { reviewers: string[]; team_reviewers: string[] } {
  return {
    reviewers: names.filter((name) => !name.includes('/')),
    team_reviewers: names.filter((name) => name.includes('/')).map((name) => name.split('/').at(-1) ?? ''),
  }
}

/** The ids of labels of the repository or its organization; one that is missing is made. */
async function findLabels(
  api: HostApi,
  repository: GiteaRepository,
  names: readonly string[],
): Promise<number[]> {
  const own = `${repositoryPath(repository.path)}/labels`
  const options = { query: { limit: pageSize }, max: 1000, pages: byNumber }
  const find = async (): Promise<Label[]> => api.list(own, label, options)
  const found = await find()
  const [owner = ''] = repository.path.split('/')
  // Owners that are people have none.
  const shared = await api
    .list(`/orgs/${encodeSegments(owner)}/labels`, label, options)
    .catch((error: unknown) => {
      if (error instanceof HostFailure) return []
      throw error
    })
  const ids: number[] = []
  for (const name of names) {
    const isNamed = (item: Label): boolean => item.name.toLowerCase() === name.toLowerCase()
    const present = found.find(isNamed) ?? shared.find(isNamed)
    if (present) ids.push(present.id)
    else {
      await attempt(async () => {
        const body = { name, color: '#ededed' }
        ids.push((await api.create(own, body, label, async () => (await find()).find(isNamed))).id)
      })
    }
  }
  return ids
}

async function attempt(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (error instanceof HostFailure) return false
    throw error
  }
}
