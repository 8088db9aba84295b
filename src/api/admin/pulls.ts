import { z } from '@hono/zod-openapi'
import {
  chosenStyle,
  type HostedPull,
  type HostedPulls,
  type MergeWish,
} from '../../features/agent/hosts/hosted-pulls.ts'
import { nameOf, type Caller } from '../../features/projects/allow.ts'
import type { Project } from '../../features/projects/projects.ts'
import type { PullRequests } from '../../features/projects/pull-requests.ts'
import type { PullRequest } from '../../integrations/forges/local/pull-request-detail.ts'
import { limitUpTo } from '../../lib/list-query.ts'
import { AppError } from '../../lib/errors.ts'
import type { Access } from '../access.ts'
import { textUpTo } from '../contract.ts'
import { diffAnswer, diffResponse, operations } from '../description/operation.ts'
import type { Endpoint, RequestContext } from '../endpoint.ts'
import { notFound } from '../errors.ts'
import { judgeHostedPull, judgePull, mergerOf, readableChange, type JudgePorts } from './judge-pull.ts'
import { readWholeNumber } from '../../lib/whole-number.ts'
import { pullRequestState } from '../../nouns/jobs/answers.ts'
import { mergeStyle, pullComments, pullDetail, pullList, type ListedPull } from '../../nouns/pulls/answers.ts'

interface Ports extends JudgePorts {
  access: Access
  pullRequests: PullRequests
  hostedPulls: HostedPulls
}

const commentRule = 'must be text of 1 to 20,000 characters'
const commentBody = z
  .object({
    body: textUpTo(20_000, commentRule)
      .min(1, commentRule)
      .openapi({ description: 'Markdown.', example: 'Shorter, please.' }),
  })
  .openapi('AddComment', { description: 'A comment to add.' })

const mergeQuery = z.object({
  style: mergeStyle
    .optional()
    .openapi({ description: 'The first of its `mergeStyles` when not given.', example: 'squash' }),
  headCommit: z
    .string()
    .regex(/^[0-9a-f]{7,64}$/, 'must be the name of a commit')
    .openapi({ example: '8fdaf8df' })
    .optional()
    .describe('The commit that was looked at: with another one at the head, nothing is merged.'),
})
const listQuery = z.object({ state: pullRequestState.optional(), limit: limitUpTo(200, 50) })

/**
 * The pull requests of projects whose repository is a folder on this server. Those of other projects are at their
 * git hosts: what jobs have opened there is shown and merged here too, by the host.
 */
export function pullRequestEndpoints({ access, pullRequests, hostedPulls, ...judging }: Ports): Endpoint[] {
  const { onProject } = operations(access, 'Pull requests')
  const path = '/admin/projects/{domain}/pulls'
  const one = `${path}/{number}`
  const answer = ['The pull request', pullDetail] as const
  const answerComments = ['The comments, oldest first', pullComments] as const
  const show = async (context: RequestContext, project: Project): Promise<z.output<typeof pullDetail>> => {
    if (project.kind === 'https') {
      const hosted = await hostedPullOf(hostedPulls, context, project)
      return hostedBody(judging, project, hosted)
    }
    const pull = await pullOf(pullRequests, context, project)
    const mergeState = await pullRequests.mergeability(project, pull.number)
    const { advice = null, behind = 0, ...mergeability } = mergeState
    const judgement = await judgePull(judging, project, pull, mergeState)
    return {
      ...toBody(pull),
      link: null,
      mergeStyles: [...localStyles],
      mergeability: { ...mergeability, advice, behind },
      judgement,
    }
  }
  const showComments = async (project: Project, number: number): Promise<z.output<typeof pullComments>> => {
    const all = await pullRequests.comments(project, number)
    return { comments: all.map((one) => ({ ...one, createdAt: one.createdAt.toISOString() })) }
  }
  const end = (name: 'close' | 'reopen', summary: string, description: string): Endpoint =>
    onProject(`${name}PullRequest`, `post ${one}/${name}`, summary, {
      description,
      errors: [409],
      answer: [200, ...answer],
      async handle({ context, project, caller }) {
        const { number } = await pullOf(pullRequests, context, project)
        await pullRequests[name](project, number, mergerOf(caller))
        return show(context, project)
      },
    })
  return [
    onProject('listPullRequests', `get ${path}`, 'List pull requests', {
      description:
        'For projects whose repository is a folder on the server; newest first. Pull requests on a git host are in the jobs, as `pullRequest`.',
      query: listQuery,
      answer: [200, 'The pull requests', pullList],
      async handle({ project, query }) {
        requireLocal(project)
        return { pullRequests: (await pullRequests.list(project, query)).map(toBody) }
      },
    }),
    onProject('getPullRequest', `get ${one}`, 'Get a pull request', {
      description:
        'Returns its present state and whether it can be merged. At a git host, those that jobs have opened are asked for.',
      answer: [200, ...answer],
      handle: async ({ context, project }) => show(context, project),
    }),
    onProject('getPullRequestDiff', `get ${one}/diff`, 'Get the diff of a pull request', {
      description: 'Returns the changes since its base as a unified diff.',
      answer: [200, ...diffAnswer],
      async handle({ context, project }) {
        const pull = await pullOf(pullRequests, context, project)
        return diffResponse(context, await pullRequests.diff(project, pull))
      },
    }),
    onProject('mergePullRequest', `post ${one}/merge`, 'Merge a pull request', {
      description:
        'In a folder on the server it makes a merge commit and pushes it to the base branch. At a git host, the host merges what a job has opened, with the rules of the repository. The pages are updated within seconds.',
      query: mergeQuery,
      errors: [409],
      answer: [200, ...answer],
      async handle({ context, project, caller, query }) {
        await mergePull({ pullRequests, hostedPulls }, { context, project, caller }, query)
        return show(context, project)
      },
    }),
    end(
      'close',
      'Close a pull request',
      'Closes it without merging and keeps its branch. Closing it again changes nothing.',
    ),
    end(
      'reopen',
      'Reopen a pull request',
      'Opens a closed one again, with its branch as it is now. Answers 409 when it is merged, its branch is gone, or the base has everything already.',
    ),
    onProject('listComments', `get ${one}/comments`, 'List comments', {
      description: 'The latest 200, oldest first.',
      answer: [200, ...answerComments],
      handle: async ({ context, project }) =>
        showComments(project, (await pullOf(pullRequests, context, project)).number),
    }),
    onProject('addComment', `post ${one}/comments`, 'Comment on a pull request', {
      description: 'The agent reads it with the next follow-up of the job.',
      body: commentBody,
      answer: [201, ...answerComments],
      async handle({ context, project, caller, body }) {
        const { number } = await pullOf(pullRequests, context, project)
        await pullRequests.comment(project, number, body.body, nameOf(caller))
        return showComments(project, number)
      },
    }),
  ]
}

const localStyles = ['merge'] as const

/** Merges the pull request that the path names, on this server or by its host. @throws AppError */
export async function mergePull(
  { pullRequests, hostedPulls }: Pick<Ports, 'pullRequests' | 'hostedPulls'>,
  { context, project, caller }: { context: RequestContext; project: Project; caller: Caller },
  wish: MergeWish,
): Promise<void> {
  const by = mergerOf(caller)
  if (project.kind === 'https') return hostedPulls.merge(project, pullNumberOf(context), wish, by.name)
  const { number } = await pullOf(pullRequests, context, project)
  chosenStyle(localStyles, wish.style)
  await pullRequests.merge(project, number, by, wish.headCommit)
}

async function hostedPullOf(
  hostedPulls: HostedPulls,
  context: RequestContext,
  project: Project,
): Promise<HostedPull> {
  const number = pullNumberOf(context)
  const pull = number === 0 ? undefined : await hostedPulls.find(project, number)
  if (!pull) throw notFound('pull request of a job', context.req.param('number') ?? '')
  return pull
}

async function hostedBody(
  ports: JudgePorts,
  project: Project,
  { job, view }: HostedPull,
): Promise<z.output<typeof pullDetail>> {
  const draft = view.draft ?? job.draft
  const change = await readableChange(ports, project, job)
  const { judgement, merge } = await judgeHostedPull(ports, job, { ...view, draft }, change)
  const { conflicts, obstacle = null, behind } = merge
  const state = conflicts.length > 0 ? 'conflicts' : obstacle === null ? 'clean' : 'missing'
  return {
    ...toBody({ ...view, draft, mergeCommit: view.mergeCommit, closedAt: view.closedAt }),
    link: view.link,
    mergeStyles: [...view.styles],
    mergeability: {
      state: view.state === 'open' ? state : view.state,
      conflicts: [...conflicts],
      advice: obstacle,
      behind,
    },
    judgement,
  }
}

/** The pull request that the path names. @throws AppError `not_found` */
export async function pullOf(
  pullRequests: Pick<PullRequests, 'find'>,
  context: RequestContext,
  project: Project,
): Promise<PullRequest> {
  requireLocal(project)
  const number = pullNumberOf(context)
  const pull = number === 0 ? undefined : await pullRequests.find(project, number)
  if (!pull) throw notFound('pull request', context.req.param('number') ?? '')
  return pull
}

/** 0, which no pull request has, when the path holds no number. */
export function pullNumberOf(context: RequestContext): number {
  return readWholeNumber(context.req.param('number')) ?? 0
}

function requireLocal({ kind, location }: Project): void {
  if (kind === 'https')
    throw new AppError(
      'not_found',
      `The pull requests of this project are at its git host, ${location}, where this is done. Those of jobs can be read one by one, and merged`,
    )
}

function toBody(
  pull: Pick<PullRequest, Exclude<keyof ListedPull, 'mergeCommit' | 'closedAt'>> &
    Pick<Partial<PullRequest>, 'mergeCommit' | 'closedAt'>,
): ListedPull {
  return {
    number: pull.number,
    title: pull.title,
    body: pull.body,
    state: pull.state,
    draft: pull.draft,
    head: pull.head,
    base: pull.base,
    headCommit: pull.headCommit,
    baseCommit: pull.baseCommit,
    mergeCommit: pull.mergeCommit ?? null,
    createdAt: pull.createdAt.toISOString(),
    closedAt: pull.closedAt?.toISOString() ?? null,
  }
}
