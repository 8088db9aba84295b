import type { z } from 'zod'
import { describeBranchInTheWay, isSurelyInTheWay } from '../../../integrations/git/branch-prefix.ts'
import { findBlockingAt } from '../../../integrations/git/remotes/find-blocking.ts'
import { checkRemote } from '../../../integrations/git/remotes/check-remote.ts'
import type { Git } from '../../../integrations/git/git.ts'
import { remoteFromUrl, type Remote } from '../../../integrations/git/remote.ts'
import type { Models } from '../../../integrations/models/model.ts'
import { AppError } from '../../../lib/errors.ts'
import type { Store } from '../../../store/database.ts'
import { remoteOf } from './add-project.ts'
import { movePrefix, type Project, updateSettings } from '../../../features/projects/projects.ts'
import {
  mostContextRepositories,
  namedRepository,
  type ContextRepository,
} from '../../../features/projects/settings/context-repositories.ts'
import {
  parseGiven,
  settingsChange,
  withDefaults,
  type ProjectSettings,
} from '../../../features/projects/settings/schemas.ts'

export interface SettingsPorts extends ContextPorts {
  store: Store
  models: Pick<Models, 'find' | 'findEmbedder'>
  /** The remote of a project's repository. */
  remote(project: Project): Promise<Remote>
}

/**
 * Changes settings of a project after checking that they can work: that models exist and repositories answer.
 * @throws AppError `invalid` or `not_found` that says what to give instead
 */
export async function changeSettings(
  ports: SettingsPorts,
  project: Project,
  input: unknown,
  requirePlace: RequirePlace,
): Promise<ProjectSettings> {
  const { contextRepositories: named, ...plain } = parseGiven(settingsChange, input)
  for (const name of [plain.model, plain.assistantModel]) if (name) ports.models.find(name)
  const { questions, vectors } = plain.enrichment ?? {}
  if (questions === 'builtin')
    throw new AppError('invalid', 'The built-in model writes no questions: name a model of a provider')
  if (questions !== undefined) ports.models.find(questions)
  if (vectors !== undefined) ports.models.findEmbedder(vectors)
  if (named && new Set(named.map(({ name }) => name)).size < named.length)
    throw new AppError('invalid', 'Two context repositories have the same name; give each its own')
  const opened: ContextRepository[] = []
  for (const one of named ?? []) {
    await requirePlace(one.location)
    opened.push(await openContextRepository(ports, project.id, one))
  }
  const moved = await checkPrefix(ports, project, plain.branchPrefix)
  return ports.store.transaction(async (tx) => {
    if (moved) await movePrefix(tx, project.id, moved)
    return updateSettings(tx, project.id, () => ({
      ...plain,
      ...(named === undefined ? {} : { contextRepositories: named && opened }),
    }))
  })
}

/**
 * Whether the agent's branches get another prefix, and the branch that may be in its way.
 * @throws AppError `invalid` when one surely is
 */
async function checkPrefix(
  { git, ...ports }: SettingsPorts,
  project: Project,
  given: string | null | undefined,
): Promise<{ former: string; blocking: string | undefined } | undefined> {
  const former = withDefaults(project.settings).branchPrefix
  const prefix = withDefaults({ branchPrefix: given ?? undefined }).branchPrefix
  if (given === undefined || prefix === former) return undefined
  const blocking = await findBlockingAt(git, await ports.remote(project), prefix)
  if (blocking !== undefined && isSurelyInTheWay(prefix, blocking))
    throw new AppError('invalid', describeBranchInTheWay(prefix, blocking))
  return { former, blocking }
}

export interface ContextPorts {
  git: Git
  /** A remote repository, with the credential that reads it for this project. */
  readable?: (url: string, projectId: string) => Promise<Remote>
}

/** @throws AppError `invalid` for a location that the caller may not use */
export type RequirePlace = (location: string) => Promise<void>

/**
 * Adds a context repository, which the agent of a project may read, after asking it for its branch.
 * @param input as `namedRepository`; an absent branch is the default one
 * @throws AppError `invalid`, `conflict` or `not_found` that says what to give instead
 */
export async function addContextRepository(
  ports: ContextPorts & { store: Store },
  projectId: string,
  input: unknown,
  requirePlace: RequirePlace,
): Promise<ProjectSettings> {
  const named = parseGiven(namedRepository, input)
  await requirePlace(named.location)
  const opened = await openContextRepository(ports, projectId, named)
  return ports.store.transaction((tx) =>
    updateSettings(tx, projectId, ({ contextRepositories: present = [] }) => {
      if (present.some(({ name }) => name === named.name))
        throw new AppError(
          'conflict',
          `There is a context repository @${named.name} already: choose another name`,
        )
      if (present.length >= mostContextRepositories)
        throw new AppError(
          'conflict',
          `A project has at most ${mostContextRepositories} context repositories: remove one first`,
        )
      return { contextRepositories: [...present, opened] }
    }),
  )
}

/** Removes a context repository; does nothing when it is not there. */
export async function removeContextRepository(
  store: Store,
  projectId: string,
  name: string,
): Promise<ProjectSettings> {
  return store.transaction((tx) =>
    updateSettings(tx, projectId, ({ contextRepositories: present = [] }) => {
      const left = present.filter((one) => one.name !== name)
      return { contextRepositories: left.length === 0 ? null : left }
    }),
  )
}

/** Asks a repository that people name for its branch. @throws AppError that says what to give instead */
async function openContextRepository(
  { git, readable }: ContextPorts,
  projectId: string,
  { name, location, ref }: z.infer<typeof namedRepository>,
): Promise<ContextRepository> {
  const remote = await remoteOf(location)
  if (remote.kind === 'folder') {
    const { branch } = await checkRemote(git, remote, { branch: ref })
    return { name, ref: branch, kind: 'path', location: remote.folder }
  }
  const reachable = (await readable?.(remote.url, projectId)) ?? remoteFromUrl(remote.url)
  const { branch } = await checkRemote(git, reachable, { branch: ref })
  return { name, ref: branch, kind: 'https', location: remote.url }
}
