import { z } from 'zod'
import type { NewRequest } from '../forge.ts'
import type { HostApi } from '../http/host-client.ts'
import { HostFailure } from '../http/host-failure.ts'

const maxNames = 20
const userAnswer = z.object({ id: z.int(), username: z.string() })

/** Labels and people of a new merge request, in GitLab's fields; whom GitLab does not know is left out. */
export async function attention(api: HostApi, request: NewRequest): Promise<Record<string, unknown>> {
  const { labels = [], reviewers = [], assignees = [] } = request
  const reviewer_ids = await userIds(api, reviewers)
  const assignee_ids = await userIds(api, assignees)
  return {
    ...(labels.length > 0 ? { labels: labels.slice(0, maxNames) } : {}),
    ...(reviewer_ids.length > 0 ? { reviewer_ids } : {}),
    ...(assignee_ids.length > 0 ? { assignee_ids } : {}),
  }
}

async function userIds(api: HostApi, names: readonly string[]): Promise<number[]> {
  const ids: number[] = []
  for (const username of new Set(names.slice(0, maxNames))) {
    try {
      const [user] = await api.get('/users', userAnswer.array(), { username })
      if (user?.username.toLowerCase() === username.toLowerCase()) ids.push(user.id)
    } catch (error) {
      if (!(error instanceof HostFailure)) throw error
    }
  }
  return ids
}
