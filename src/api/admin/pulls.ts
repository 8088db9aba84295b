import { z } from '@hono/zod-openapi'
import type { Project } from '../../features/projects/projects.ts'
import type { PullRequests } from '../../features/projects/pull-requests.ts'
import type { PullRequest } from '../../integrations/forges/local/pull-request-detail.ts'
import { AppError } from '../../lib/errors.ts'
import type { Access } from '../access.ts'
import { textUpTo } from '../contract.ts'
import { diffResponse, oneDiff } from '../diff-response.ts'
import type { Endpoint, RequestContext } from '../endpoint.ts'
import { notFound } from '../errors.ts'
import { describe, projectOperation } from '../operation.ts'

interface Ports {
  access: Access
  pullRequests: PullRequests
}

const state = z.enum(['open', 'merged', 'closed'])
const shape = z.object({
  number: z.int(),
  title: z.string(),
  body: z.string().openapi({ description: 'Markdown.' }),
  state,
  draft: z.boolean(),
  head: z.string().openapi({ description: 'Branch with the change.' }),
  base: z.string().openapi({ description: 'Branch that it is for.' }),
  headCommit: z.string(),
  baseCommit: z.string().openapi({ description: 'Where the branch left its base.' }),
  mergeCommit: z.string().nullable(),
  createdAt: z.iso.datetime(),
  closedAt: z.iso.datetime().nullable().openapi({ description: 'When it was merged or closed.' }),
})
const listed = shape.openapi('ListedPullRequest')
const detail = shape
  .extend({
    mergeability: z.object({
      state: z
        .enum(['clean', 'conflicts', 'merged', 'closed', 'missing'])
        .openapi({ description: '`missing`: one of the branches is gone.' }),
      conflicts: z.array(z.string()).openapi({ description: 'Paths.' }),
    }),
  })
  .openapi('PullRequest')

const comments = z
  .object({
    comments: z.array(
      z.object({
        n: z.int(),
        author: z.string(),
        body: z.string().openapi({ description: 'Markdown.' }),
        createdAt: z.iso.datetime(),
      }),
    ),
  })
  .openapi('PullRequestComments')

const commentRule = 'must be text of 1 to 20,000 characters'
const commentBody = z
  .object({
    body: textUpTo(20_000, commentRule)
      .min(1, commentRule)
      .openapi({ description: 'Markdown.', example: 'Shorter, please.' }),
  })
  .openapi('AddComment')

const limitRule = 'must be a whole number from 1 to 200'
const listQuery = z.object({
  state: state.optional(),
  limit: z.coerce
    .number({ error: limitRule })
    .int(limitRule)
    .min(1, limitRule)
    .max(200, limitRule)
    .default(50),
})

/** The pull requests of projects whose repository is a folder on this server; those of others are at their git hosts. */
export function pullRequestEndpoints({ access, pullRequests }: Ports): Endpoint[] {
  const tag = 'Pull requests'
  const path = '/admin/projects/{domain}/pulls'
  const one = `${path}/{number}`
  const answer = { text: 'The pull request', schema: detail }
  const answerComments = { text: 'The comments, oldest first', schema: comments }
  const show = async (project: Project, number: number): Promise<z.output<typeof detail>> => {
    const pull = await requirePull(pullRequests, project, number)
    return { ...toBody(pull), mergeability: await pullRequests.mergeability(project, number) }
  }
  const showComments = async (project: Project, number: number): Promise<z.output<typeof comments>> => {
    const all = await pullRequests.comments(project, number)
    return { comments: all.map((one) => ({ ...one, createdAt: one.createdAt.toISOString() })) }
  }
  const end = (
    verb: 'mergePullRequest' | 'closePullRequest',
    name: 'merge' | 'close',
    text: { summary: string; description: string },
  ): Endpoint =>
    projectOperation(
      access,
      { verb, method: 'post', path: `${one}/${name}`, tag, ...text, errors: [409], answer },
      async ({ context, project }) => {
        const { number } = await pullOf(pullRequests, context, project)
        await pullRequests[name](project, number)
        return show(project, number)
      },
    )
  return [
    projectOperation(
      access,
      {
        verb: 'listPullRequests',
        method: 'get',
        path,
        tag,
        summary: 'List pull requests',
        description:
          'Newest first, of a project whose repository is a folder on the server. Those on a git host stand in its jobs, as `pullRequest`.',
        query: listQuery,
        answer: {
          text: 'The pull requests',
          schema: z.object({ pullRequests: z.array(listed) }).openapi('PullRequestList'),
        },
      },
      async ({ project, query }) => {
        requireLocal(project)
        return { pullRequests: (await pullRequests.list(project, query)).map(toBody) }
      },
    ),
    projectOperation(
      access,
      {
        verb: 'getPullRequest',
        method: 'get',
        path: one,
        tag,
        summary: 'Get a pull request',
        description: 'As it is now, and what merging it would do.',
        answer,
      },
      async ({ context, project }) => show(project, pullNumberOf(context)),
    ),
    {
      route: describe({
        verb: 'getPullRequestDiff',
        method: 'get',
        path: `${one}/diff`,
        tag,
        summary: 'Get the diff of a pull request',
        description: 'What it brings to its base, as a unified diff.',
        responses: { 200: oneDiff },
      }),
      async handle(context) {
        const { project } = await access.project(context, 'getPullRequestDiff')
        const pull = await pullOf(pullRequests, context, project)
        return diffResponse(context, await pullRequests.diff(project, pull))
      },
    },
    end('mergePullRequest', 'merge', {
      summary: 'Merge a pull request',
      description:
        'With a merge commit, which is pushed to the base branch. The pages follow within seconds.',
    }),
    end('closePullRequest', 'close', {
      summary: 'Close a pull request',
      description: 'Without merging. Its branch stays. Closing again changes nothing.',
    }),
    projectOperation(
      access,
      {
        verb: 'listComments',
        method: 'get',
        path: `${one}/comments`,
        tag,
        summary: 'List comments',
        description: 'The latest 200, oldest first.',
        answer: answerComments,
      },
      async ({ context, project }) =>
        showComments(project, (await pullOf(pullRequests, context, project)).number),
    ),
    projectOperation(
      access,
      {
        verb: 'addComment',
        method: 'post',
        path: `${one}/comments`,
        tag,
        summary: 'Comment on a pull request',
        description: 'The agent reads it with the next follow-up of the job.',
        body: commentBody,
        answer: { ...answerComments, status: 201 },
      },
      async ({ context, project, body }) => {
        const { number } = await pullOf(pullRequests, context, project)
        await pullRequests.comment(project, number, body.body)
        return showComments(project, number)
      },
    ),
  ]
}

/** The pull request that the path names. @throws AppError `not_found` */
export async function pullOf(
  pullRequests: Pick<PullRequests, 'find'>,
  context: RequestContext,
  project: Project,
): Promise<PullRequest> {
  return requirePull(pullRequests, project, pullNumberOf(context))
}

async function requirePull(
  pullRequests: Pick<PullRequests, 'find'>,
  project: Project,
  number: number,
): Promise<PullRequest> {
  requireLocal(project)
  const pull = number === 0 ? undefined : await pullRequests.find(project, number)
  if (!pull) throw notFound('pull request', String(number))
  return pull
}

/** 0, the number of none, for what is no number. */
export function pullNumberOf(context: RequestContext): number {
  const text = context.req.param('number') ?? ''
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0
}

function requireLocal({ kind, location }: Project): void {
  if (kind === 'https')
    throw new AppError(
      'not_found',
      `The pull requests of this project are at its git host, ${location}; its jobs name theirs as pullRequest`,
    )
}

function toBody(pull: PullRequest): z.output<typeof listed> {
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
