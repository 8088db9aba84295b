import type { ApprovalColumn } from '../../../store/columns.ts'
import { json, type Tx } from '../../../store/database.ts'
import { projectSettings, readSettings, parseGiven, type ProjectSettings } from './schemas.ts'

/**
 * Applies the changes that `change` returns for the present settings; null removes a setting.
 * @returns the new settings
 */
export async function updateSettings(
  tx: Tx,
  projectId: string,
  change: (before: ProjectSettings) => { [Name in keyof ProjectSettings]: ProjectSettings[Name] | null },
): Promise<ProjectSettings> {
  const row = await tx
    .selectFrom('projects')
    .select('settings')
    .where('id', '=', projectId)
    .forUpdate()
    .executeTakeFirst()
  const before = readSettings(row?.settings)
  const merged = { ...before, ...change(before) }
  const kept = Object.entries(merged).filter(([, value]) => value !== null && value !== undefined)
  const settings = projectSettings.parse(Object.fromEntries(kept))
  await tx
    .updateTable('projects')
    .set({ settings: json(settings) })
    .where('id', '=', projectId)
    .execute()
  return settings
}

const allowedSettings = { host: 'allowedHosts', import: 'allowedImports', part: 'allowedParts' } as const

/** Adds a host, a module or a part to those that pages of the project may have. */
export async function allowAlways(tx: Tx, projectId: string, { kind, value }: ApprovalColumn): Promise<void> {
  const name = allowedSettings[kind]
  await updateSettings(tx, projectId, (before) => ({
    [name]: parseGiven(projectSettings.shape[name], [...new Set([...(before[name] ?? []), value])]),
  }))
}
