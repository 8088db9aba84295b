import { AppError } from '../../lib/errors.ts'
import type { Models } from '../../integrations/models/model.ts'
import type { Store } from '../../store/database.ts'
import { openContextRepository } from './context-repositories.ts'
import type { ContextPorts, RequirePlace } from './context-repositories.ts'
import { parseGiven, settingsChange, updateSettings } from './settings.ts'
import type { ContextRepository, ProjectSettings } from './settings.ts'

export interface SettingsPorts extends ContextPorts {
  store: Store
  models: Pick<Models, 'find'>
}

/**
 * Changes settings of a project after asking whether they can work: models are offered, repositories answer.
 * @throws AppError `invalid` or `not_found` that says what to give instead
 */
export async function changeSettings(
  ports: SettingsPorts,
  projectId: string,
  input: unknown,
  requirePlace: RequirePlace,
): Promise<ProjectSettings> {
  const { contextRepositories: named, ...plain } = parseGiven(settingsChange, input)
  for (const name of [plain.model, plain.assistantModel]) if (name) ports.models.find(name)
  if (named && new Set(named.map(({ name }) => name)).size < named.length)
    throw new AppError('invalid', 'Two context repositories have the same name; give each its own')
  const opened: ContextRepository[] = []
  for (const one of named ?? []) {
    await requirePlace(one.location)
    opened.push(await openContextRepository(ports, projectId, one))
  }
  return ports.store.transaction((tx) =>
    updateSettings(tx, projectId, () => ({
      ...plain,
      ...(named === undefined ? {} : { contextRepositories: named && opened }),
    })),
  )
}
