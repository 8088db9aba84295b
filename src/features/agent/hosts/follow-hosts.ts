import { AppError } from '../../../lib/errors.ts'
import { exactTimeText } from '../../../lib/text/time-words.ts'
import { HostFailure } from '../../../integrations/forges/http/host-failure.ts'
import { answerComment } from './answer-comment.ts'
import { claimAnswers } from './comments.ts'
import { pollRequest } from './poll-request.ts'
import type { HostFollowPorts, HostedProject } from './ports.ts'
import { claimRequests, countWatched, projectsWithDueWork } from './requests.ts'
import { reportStatuses } from './report-status.ts'

/** Synchronizes jobs and their pull requests on hosts. Any number of processes may do so on one store. */
export interface HostFollower {
  /** Starts the work that is due, without waiting for the hosts. */
  sweep(): Promise<void>
  /** When nothing is on its way any more. */
  settled(): Promise<void>
}

const mostProjects = 8
/** The most items of each kind per project and round. */
const mostAtOnce = 10
/** Milliseconds without requests after consecutive errors. The last one repeats. */
const pauses = [5000, 20_000, 60_000, 300_000]
/** Milliseconds until a project that could not be opened is tried again. */
const pauseWithoutHost = 60_000
/** Seconds between reading any two pull requests of one project, because hosts limit requests per hour. */
const secondsBetween = 5

export function createHostFollower(ports: HostFollowPorts): HostFollower {
  const underWay = new Map<string, Promise<void>>()
  const pausedUntil = new Map<string, number>()
  const troubles = new Map<string, number>()
  /** Apart from the rest: a status may need a check of all pages first, for which no comment shall wait. */
  const statuses = new Map<string, Promise<void>>()
  const noteFailure = (projectId: string, error: unknown): void => {
    if (ports.stopping.aborted) return
    ports.reportError(error, projectId)
    const retryAt = error instanceof HostFailure ? error.retryAt : undefined
    const count = troubles.get(projectId) ?? 0
    troubles.set(projectId, count + 1)
    const pause = pauses[Math.min(count, pauses.length - 1)] ?? 0
    pausedUntil.set(projectId, retryAt?.getTime() ?? ports.now().getTime() + pause)
  }
  const beginStatuses = (project: HostedProject): void => {
    if (statuses.has(project.id) || statuses.size >= mostProjects) return
    const done = reportStatuses(ports, project, mostAtOnce)
      .catch((error: unknown) => noteFailure(project.id, error))
      .then(() => {
        statuses.delete(project.id)
      })
    statuses.set(project.id, done)
  }
  const begin = (projectId: string): void => {
    const done = follow(ports, projectId, beginStatuses)
      .then((isOpen) => {
        troubles.delete(projectId)
        if (!isOpen) pausedUntil.set(projectId, ports.now().getTime() + pauseWithoutHost)
      })
      .catch((error: unknown) => noteFailure(projectId, error))
      .then(() => {
        underWay.delete(projectId)
      })
    underWay.set(projectId, done)
  }
  return {
    async sweep() {
      if (ports.stopping.aborted) return
      const now = ports.now().getTime()
      for (const [projectId, until] of pausedUntil) if (until <= now) pausedUntil.delete(projectId)
      for (const projectId of await projectsWithDueWork(ports.store.db)) {
        if (underWay.size >= mostProjects) return
        if (!underWay.has(projectId) && !pausedUntil.has(projectId)) begin(projectId)
      }
    },
    async settled() {
      // The statuses begin in what is under way.
      await Promise.all(underWay.values())
      await Promise.all(statuses.values())
    },
  }
}

/** @returns false when the project has no connected host */
async function follow(
  ports: HostFollowPorts,
  projectId: string,
  beginStatuses: (project: HostedProject) => void,
): Promise<boolean> {
  const project = await ports.open(projectId)
  if (!project) {
    // No host can be reached: the pull requests are due again when the project may have been connected.
    await claimRequests(ports.store, projectId, { seconds: 600, limit: 1000 })
    return false
  }
  try {
    await answerAndPoll(ports, project)
  } catch (error) {
    if (!(error instanceof HostFailure && error.retryAt)) beginStatuses(project)
    throw error
  }
  beginStatuses(project)
  return true
}

async function answerAndPoll(ports: HostFollowPorts, project: HostedProject): Promise<void> {
  const { id: projectId } = project
  await eachInOrder(ports, project, await claimAnswers(ports.store, projectId, mostAtOnce), answerComment)
  const scarce = project.hosted.scarceUntil()
  if (scarce) {
    // The remaining requests are kept for publishing and replies. Comments are read later, and none is lost.
    const seconds = Math.ceil((scarce.getTime() - ports.now().getTime()) / 1000)
    const put = { seconds: Math.min(Math.max(seconds, 1), 3600), limit: 1000 }
    if ((await claimRequests(ports.store, projectId, put)).length > 0)
      ports.reportError(fewRequestsLeft(scarce), projectId)
    return
  }
  const open = await countWatched(ports.store.db, projectId)
  const due = { seconds: Math.max(project.interval, open * secondsBetween), limit: mostAtOnce }
  await eachInOrder(ports, project, await claimRequests(ports.store, projectId, due), pollRequest)
}

function fewRequestsLeft(until: Date): AppError {
  return new AppError(
    'unavailable',
    `Few of the requests that the host allows are left: pull requests are read again after ${exactTimeText(until)}`,
  )
}

/** One after the other, as hosts demand. An item that fails does not stop the next ones. */
async function eachInOrder<T>(
  ports: HostFollowPorts,
  project: HostedProject,
  items: readonly T[],
  work: (ports: HostFollowPorts, project: HostedProject, item: T) => Promise<void>,
): Promise<void> {
  let failure: { error: unknown } | undefined
  for (const item of items) {
    ports.stopping.throwIfAborted()
    try {
      await work(ports, project, item)
    } catch (error) {
      failure ??= { error }
      if (error instanceof HostFailure && error.retryAt) break
    }
  }
  if (failure) throw failure.error
}
