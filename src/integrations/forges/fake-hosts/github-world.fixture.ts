import { createGitHub } from '../github/github.ts'
import { startFakeGitHub } from './github-server.fixture.ts'
import type { FakeGitHub } from './github-state.fixture.ts'
import { createPullWorld } from './pull-world.fixture.ts'
import type { PullWorld } from './pull-world.fixture.ts'

export type GitHubWorld = PullWorld<FakeGitHub>

export function createGitHubWorld(): Promise<GitHubWorld> {
  return createPullWorld(createGitHub({ request: 500 }), startFakeGitHub, {
    token: 'ghp_all',
    merged: { mergedAt: '2026-05-01T10:00:00Z' },
    comments: ({ said }) => said,
    plainTitle: (title) => title,
  })
}
