import { AppError } from '../../../lib/errors.ts'
import {
  isSameCommit,
  otherCommits,
  type MergeStyle,
  type MergeView,
} from '../../../integrations/forges/merging.ts'
import type { HostedRepository } from '../../../integrations/forges/host.ts'
import type { OpenedRepository } from '../../../integrations/forges/open-repository.ts'
import type { Store, Tx } from '../../../store/database.ts'
import type { Job } from '../jobs.ts'
import { recordPullRequestState } from '../publish/record-publication.ts'
import { findJobOfPullRequest } from '../review/find-reviewed-job.ts'
import { makeRequestDue } from './requests.ts'

interface Project {
  id: string
  kind: 'path' | 'https'
}

/** A pull request that a job has opened at a git host. */
export interface HostedPull {
  job: Job
  view: MergeView
}

/** How a pull request is to be merged. */
export interface MergeWish {
  /** The repository's default when not given. */
  style?: MergeStyle | undefined
  /** The commit that was looked at. Another one is not merged. */
  headCommit?: string | undefined
}

/**
 * Pull requests of jobs at git hosts, as these tell them now. Those of others are none of this server's: who may merge
 * its jobs need not be somebody who may merge everything that its credential could.
 */
export interface HostedPulls {
  /** Undefined when no job has opened one of that number. @throws AppError when the host cannot be asked */
  find(project: Project, number: number): Promise<HostedPull | undefined>
  /** @throws AppError as `Merging.merge` does, and `invalid` for a style that the repository does not allow */
  merge(project: Project, number: number, wish: MergeWish, by: string): Promise<void>
}

export function createHostedPulls({
  store,
  open: openRepository,
  onMerge,
}: {
  store: Store
  /** Undefined without one. */
  open: (projectId: string) => Promise<OpenedRepository | undefined>
  /** Called when the base branch of a project has moved. */
  onMerge: (tx: Tx, projectId: string) => Promise<void>
}): HostedPulls {
  const open = async (project: Project): Promise<HostedRepository> => {
    const opened = await openRepository(project.id)
    if (opened?.hosted) return opened.hosted
    const host = opened?.host?.name
    throw host === undefined
      ? new AppError('not_found', 'Docwright can’t read pull requests on this git server. See them there')
      : new AppError(
          'forbidden',
          `There is no credential for ${host}, so it cannot be asked: add one to the project`,
        )
  }
  const find: HostedPulls['find'] = async (project, number) => {
    const job = await findJobOfPullRequest(store.db, project, number)
    if (!job) return undefined
    const view = await (await open(project)).merging.look(number)
    return view && { job, view }
  }
  return {
    find,
    async merge(project, number, { style, headCommit }, by) {
      const pull = await find(project, number)
      if (!pull) throw new AppError('not_found', `Pull request ${number} not found of a job`)
      const { view, job } = pull
      if (view.state !== 'open')
        throw new AppError('conflict', `Pull request ${number} is already ${view.state}`)
      if (headCommit !== undefined && !isSameCommit(view.headCommit, headCommit))
        throw new AppError('conflict', otherCommits)
      const { merging } = await open(project)
      await merging.merge(view, chosenStyle(view.styles, style))
      await store.transaction(async (tx) => {
        await recordPullRequestState(tx, job.id, { number, state: 'merged', draft: undefined, by })
        // What people said last is read as after every merge.
        await makeRequestDue(tx, project.id, number)
        await onMerge(tx, project.id)
      })
    },
  }
}

/** @throws AppError `invalid` for what the repository does not allow */
export function chosenStyle(allowed: readonly MergeStyle[], wanted: MergeStyle | undefined): MergeStyle {
  const [first] = allowed
  if (first === undefined)
    throw new AppError(
      'conflict',
      'The repository allows no way of merging that Docwright knows: merge it at its host',
    )
  if (wanted === undefined || allowed.includes(wanted)) return wanted ?? first
  throw new AppError(
    'invalid',
    `The repository does not allow to merge with the style ${wanted}: it allows ${allowed.join(' and ')}`,
  )
}
