import type { z } from 'zod'
import { AppError } from '../../lib/errors.ts'
import { hasUnstorable } from '../../lib/plain-text.ts'
import { checkRemote } from '../../integrations/git/check-remote.ts'
import { remoteFromUrl } from '../../integrations/git/remote.ts'
import type { Remote } from '../../integrations/git/remote.ts'
import type { Git } from '../../integrations/git/git.ts'
import type { Models } from '../../integrations/models/model.ts'
import type { Store } from '../../store/database.ts'
import { remoteOf } from './add-project.ts'
import { settingsChange, updateSettings } from './settings.ts'
import type { ContextRepository, ProjectSettings, namedRepository } from './settings.ts'

/**
 * Changes settings of a project after asking whether they can work: models are offered, repositories answer.
 * @throws AppError `invalid` or `not_found` that says what to give instead
 */
export async function changeSettings(
  ports: {
    store: Store
    git: Git
    models: Pick<Models, 'find'>
    /** A repository elsewhere with the credential that reads it for this project. */
    readable?: (url: string, projectId: string) => Promise<Remote>
  },
  projectId: string,
  input: unknown,
): Promise<ProjectSettings> {
  const parsed = settingsChange.safeParse(input)
  if (!parsed.success) throw new AppError('invalid', describe(parsed.error))
  if (hasUnstorable(JSON.stringify(parsed.data)))
    throw new AppError('invalid', 'A setting holds a character that cannot be kept')
  const { contextRepositories, ...plain } = parsed.data
  for (const name of [plain.model, plain.assistantModel]) if (name) ports.models.find(name)
  const repositories =
    contextRepositories &&
    (await openRepositories(
      ports.git,
      contextRepositories,
      async (url) => (await ports.readable?.(url, projectId)) ?? remoteFromUrl(url),
    ))
  return ports.store.transaction((tx) =>
    updateSettings(tx, projectId, {
      ...plain,
      ...(repositories === undefined ? {} : { contextRepositories: repositories }),
    }),
  )
}

async function openRepositories(
  git: Git,
  named: readonly z.infer<typeof namedRepository>[],
  readable: (url: string) => Promise<Remote>,
): Promise<ContextRepository[]> {
  if (new Set(named.map(({ name }) => name)).size < named.length)
    throw new AppError('invalid', 'Two context repositories have the same name; give each its own')
  const found: ContextRepository[] = []
  for (const { name, location, ref } of named) {
    const remote = await remoteOf(location)
    const asked = remote.kind === 'url' ? await readable(remote.url) : remote
    const { branch } = await checkRemote(git, asked, { branch: ref })
    const place =
      remote.kind === 'url'
        ? { kind: 'https' as const, location: remote.url }
        : { kind: 'path' as const, location: remote.folder }
    found.push({ name, ref: branch, ...place })
  }
  return found
}

function describe(error: z.ZodError): string {
  const [issue] = error.issues
  const path = issue?.path.map(String).join('.') ?? ''
  return path === '' ? (issue?.message ?? 'The settings are not valid') : `\`${path}\` ${issue?.message}`
}
