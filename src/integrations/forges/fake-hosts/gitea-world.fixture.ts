import { createGitea } from '../gitea/gitea.ts'
import { plainTitle } from '../gitea/draft-title.ts'
import { startFakeGitea } from './gitea-server.fixture.ts'
import type { FakeGitea } from './gitea-state.fixture.ts'
import { createPullWorld } from './pull-world.fixture.ts'
import type { PullWorld } from './pull-world.fixture.ts'

export type GiteaWorld = PullWorld<FakeGitea>

export function createGiteaWorld(): Promise<GiteaWorld> {
  return createPullWorld(createGitea({ request: 500 }), startFakeGitea, {
    token: 'all',
    merged: { merged: true },
    comments: ({ comments }) => comments,
    plainTitle,
  })
}
