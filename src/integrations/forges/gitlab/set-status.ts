import { z } from 'zod'
import type { CommitStatus } from '../host.ts'
import { apiPath } from '../http/api-path.ts'
import { isAnswer } from '../http/host-failure.ts'
import type { GitLabProject } from './gitlab-project.ts'

const states = { pending: 'pending', success: 'success', failure: 'failed' } as const

export async function setStatus(
  project: GitLabProject,
  commit: string,
  { state, description, link }: CommitStatus,
): Promise<void> {
  await project.client.operation(`set the status of a commit in ${project.path}`, async (api) => {
    // The commit is where the branch is.
    const place = apiPath`/projects/${await project.source(api)}/statuses/${commit}`
    const status = {
      state: states[state],
      name: 'docwright',
      description: Array.from(description).slice(0, 255).join(''),
      target_url: link,
    }
    try {
      await api.replace('POST', place, status, z.unknown())
    } catch (error) {
      // It refuses the state that it has.
      if (!isAnswer(error, 400) || !error.detail.includes('Cannot transition status')) throw error
    }
  })
}
