import type { z } from '@hono/zod-openapi'
import type { Access } from '../../api/access.ts'
import { diffAnswer, diffResponse, operations } from '../../api/description/operation.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { chosenStyle, type HostedPull, type HostedPulls } from '../../features/agent/hosts/hosted-pulls.ts'
import type { MergeJudgement } from '../../features/agent/review/judge-merge.ts'
import { nameOf, type Caller } from '../../features/projects/allow.ts'
import type { Project } from '../../features/projects/projects.ts'
import type { PullRequests } from '../../features/projects/pull-requests.ts'
import type { Merger } from '../../integrations/forges/local/merge-pull-request.ts'
import { httpDoor } from '../../verbs/http.ts'
import type { Recorded } from '../../verbs/present.ts'
import { deed } from '../../verbs/verb.ts'
import type { pullDetail } from './answers.ts'
import { findHostedPull, findPull, numberOf, requireLocal } from './find-pull.ts'
import { judgeHostedPull, judgePull, readableChange, type JudgePorts } from './judge.ts'
import * as verbs from './verbs.ts'

/**
 * The pull requests of projects whose repository is a folder on this server. Those of other projects are at their
 * git hosts: what jobs have opened there is shown and merged here too, by the host.
 */
export interface PullPorts extends JudgePorts {
  pullRequests: PullRequests
  hostedPulls: HostedPulls
}

const localStyles = ['merge'] as const

const listPullRequests = deed(
  verbs.listPullRequests,
  async ({ pullRequests }: PullPorts, { project }, query) => {
    requireLocal(project)
    return {
      pullRequests: await pullRequests.list(project, query),
    }
  },
)

const getPullRequest = deed(verbs.getPullRequest, (ports: PullPorts, { project }, { number }) =>
  readPull(ports, project, number),
)

export const mergePullRequest = deed(
  verbs.mergePullRequest,
  async (ports: PullPorts, { project, caller }, { number, ...wish }) => {
    await mergePull(ports, project, caller, number, wish)
    return readPull(ports, project, number)
  },
)

export type Merging = Pick<PullPorts, 'pullRequests' | 'hostedPulls'>

/** Merges where the pull request is. @throws AppError for what cannot be merged */
export async function mergePull(
  ports: Merging,
  project: Project,
  caller: Caller,
  number: string,
  wish: z.output<typeof verbs.mergePullRequest.input>,
): Promise<void> {
  const by = mergerOf(caller)
  if (project.kind === 'https') {
    await ports.hostedPulls.merge(project, numberOf(number), wish, by.name)
    return
  }
  const pull = await findPull(ports, project, number)
  chosenStyle(localStyles, wish.style)
  await ports.pullRequests.merge(project, pull.number, by, wish.headCommit)
}

export const closePullRequest = deed(
  verbs.closePullRequest,
  async (ports: PullPorts, { project, caller }, { number }) => {
    await ports.pullRequests.close(project, (await findPull(ports, project, number)).number, mergerOf(caller))
    return readPull(ports, project, number)
  },
)

export const reopenPullRequest = deed(
  verbs.reopenPullRequest,
  async (ports: PullPorts, { project, caller }, { number }) => {
    await ports.pullRequests.reopen(
      project,
      (await findPull(ports, project, number)).number,
      mergerOf(caller),
    )
    return readPull(ports, project, number)
  },
)

const listComments = deed(verbs.listComments, async (ports: PullPorts, { project }, { number }) =>
  readComments(ports, project, (await findPull(ports, project, number)).number),
)

export const addComment = deed(
  verbs.addComment,
  async (ports: PullPorts, { project, caller }, { number, body }) => {
    const pull = await findPull(ports, project, number)
    await ports.pullRequests.comment(project, pull.number, body, nameOf(caller))
    return readComments(ports, project, pull.number)
  },
)

export function pullEndpoints(ports: PullPorts & { access: Access; publicUrl(): string }): Endpoint[] {
  const { onProject } = operations(ports.access, 'Pull requests')
  return [
    ...httpDoor(ports, [listPullRequests, getPullRequest]),
    onProject(
      'getPullRequestDiff',
      `${verbs.getPullRequest.address}/diff`,
      'Get the diff of a pull request',
      {
        description: 'Returns the changes since its base as a unified diff.',
        answer: [200, ...diffAnswer],
        async handle({ context, project }) {
          const pull = await findPull(ports, project, context.req.param('number'))
          return diffResponse(context, await ports.pullRequests.diff(project, pull))
        },
      },
    ),
    ...httpDoor(ports, [mergePullRequest, closePullRequest, reopenPullRequest, listComments, addComment]),
  ]
}

type JudgedPull = Omit<Recorded<z.output<typeof pullDetail>>, 'judgement'> & { judgement: MergeJudgement }

/** A pull request, and whether it should be merged. */
export async function readPull(ports: PullPorts, project: Project, number: string): Promise<JudgedPull> {
  if (project.kind === 'https')
    return presentHosted(ports, project, await findHostedPull(ports, project, number))
  const pull = await findPull(ports, project, number)
  const mergeState = await ports.pullRequests.mergeability(project, pull.number)
  const { advice = null, behind = 0, ...mergeability } = mergeState
  return {
    ...pull,
    link: null,
    mergeStyles: localStyles,
    mergeability: { ...mergeability, advice, behind },
    judgement: await judgePull(ports, project, pull, mergeState),
  }
}

async function readComments({ pullRequests }: PullPorts, project: Project, number: number) {
  const all = await pullRequests.comments(project, number)
  return { comments: all }
}

async function presentHosted(
  ports: JudgePorts,
  project: Project,
  { job, view }: HostedPull,
): Promise<JudgedPull> {
  const draft = view.draft ?? job.draft
  const change = await readableChange(ports, project, job)
  const { judgement, merge } = await judgeHostedPull(ports, job, { ...view, draft }, change)
  const { conflicts, obstacle = null, behind } = merge
  const state = conflicts.length > 0 ? 'conflicts' : obstacle === null ? 'clean' : 'missing'
  return {
    ...view,
    draft,
    mergeStyles: view.styles,
    mergeability: {
      state: view.state === 'open' ? state : view.state,
      conflicts,
      advice: obstacle,
      behind,
    },
    judgement,
  }
}

/** Whoever asks, as a merge names them. */
function mergerOf(caller: Caller): Merger {
  if (caller.kind !== 'person') return { name: nameOf(caller) }
  const { name, email, credit } = caller.person
  return { name, email, credit }
}
