import { findChange } from '../features/agent/start/change/find-change.ts'
import { TurnFailure } from '../features/agent/turns/turn-failure.ts'
import { listStillTrue } from '../nouns/impact/table.ts'
import { assessRange, type RangeImpact } from '../features/impact/assess-range.ts'
import { readMap, type ReadMap } from '../features/impact/read-map.ts'
import type { Project } from '../features/projects/projects.ts'
import { plainForge } from '../integrations/forges/plain-git.ts'
import { createLocalForge } from '../integrations/forges/local/local-forge.ts'
import { resolveReference } from '../integrations/git/resolve-reference.ts'
import { endingSignal } from '../lib/ending-signal.ts'
import { AppError } from '../lib/errors.ts'
import { ThreadFailure } from '../lib/threads/text-thread.ts'
import type { AboutChangeColumn } from '../store/columns.ts'
import { jobProjectOf, localForgePorts } from './agent-ports.ts'
import { impactThread } from './impact-thread.ts'
import type { Services } from './services.ts'

/** Changes that wait for the thread. */
const mostWaiting = 8
const longestWait = 120_000

/** What changes touch in the documentation of projects. */
export function impactOfProjects(services: Services, stopping: AbortSignal) {
  return (project: Project, about: AboutChangeColumn, isWhole = false): Promise<RangeImpact> =>
    assessForProject(services, project, { about, isWhole }, stopping)
}

/** Which pages changed with which code, in the repositories of projects. */
export function mapOfProjects(services: Services, stopping: AbortSignal) {
  return async (project: Project): Promise<ReadMap> => {
    using waiting = endingSignal({ signals: [stopping], milliseconds: longestWait })
    const repository = await services.filledMirror(project)
    const commit = await resolveReference(repository, `refs/heads/${project.ref}`)
    if (commit === undefined)
      throw new AppError('not_found', `The repository has no branch ${JSON.stringify(project.ref)}`)
    return await readMap({ repository, root: project.root, commit }, waiting.signal)
  }
}

/**
 * What a change touches in the documentation of a project.
 * @throws AppError `not_found` for a change that cannot be read, `unavailable` while too many others are looked at, `too_large` for texts that take too long
 */
async function assessForProject(
  services: Services,
  project: Project,
  { about, isWhole }: { about: AboutChangeColumn; isWhole: boolean },
  stopping: AbortSignal,
): Promise<RangeImpact> {
  if (impactThread.load >= mostWaiting)
    throw new AppError('unavailable', 'Too many changes are looked at just now: try again in a moment')
  using waiting = endingSignal({ signals: [stopping], milliseconds: longestWait })
  const { signal } = waiting
  const repository = await services.filledMirror(project)
  const opened = { ...(await jobProjectOf(services, project)), repository }
  const head = await resolveReference(repository, `refs/heads/${project.ref}`)
  if (head === undefined)
    throw new AppError('not_found', `The repository has no branch ${JSON.stringify(project.ref)}`)
  const forge =
    opened.remote.kind === 'folder' ? createLocalForge(localForgePorts(services), opened) : plainForge
  try {
    const code = await findChange({ project: opened, forge, signal }, about, head)
    const isOwn = code.repository.folder === repository.folder
    const docs = { repository, root: project.root, commit: isOwn ? undefined : head }
    const settled = (paths: string[]) => listStillTrue(services.store.db, project.id, paths)
    return await assessRange(impactThread, { code, docs, signal, isWhole, settled })
  } catch (error) {
    if (error instanceof TurnFailure)
      throw new AppError('not_found', error.message.replace('this job is about', 'was named'), {
        cause: error,
      })
    if (error instanceof ThreadFailure)
      throw new AppError('too_large', 'The change or the pages are too large to be compared', {
        cause: error,
      })
    throw error
  }
}
