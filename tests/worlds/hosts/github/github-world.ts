import { createGitHub } from '../../../../src/integrations/forges/github/github.ts'
import { startFakeGitHub } from './github-server.ts'
import type { FakeGitHub } from './github-state.ts'
import { createPullWorld, type PullWorld } from '../pull-world.ts'

export type GitHubWorld = PullWorld<FakeGitHub>

export function createGitHubWorld(options: { requestLimit?: number } = {}): Promise<GitHubWorld> {
  return createPullWorld(createGitHub({ request: options.requestLimit ?? 10_000 }), startFakeGitHub, {
    token: 'ghp_all',
    merged: { mergedAt: '2026-05-01T10:00:00Z' },
    comments: ({ said }) => said,
    plainTitle: (title) => title,
  })
}
