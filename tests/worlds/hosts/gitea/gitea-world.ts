import { createGitea } from '../../../../src/integrations/forges/gitea/gitea.ts'
import { plainTitle } from '../../../../src/integrations/forges/gitea/pull-requests.ts'
import { startFakeGitea } from './gitea-server.ts'
import type { FakeGitea } from './gitea-state.ts'
import { createPullWorld, type PullWorld } from '../pull-world.ts'

export type GiteaWorld = PullWorld<FakeGitea>

export function createGiteaWorld(options: { requestLimit?: number } = {}): Promise<GiteaWorld> {
  return createPullWorld(createGitea({ request: options.requestLimit ?? 10_000 }), startFakeGitea, {
    token: 'all',
    merged: { merged: true },
    comments: ({ comments }) => comments,
    plainTitle,
  })
}
