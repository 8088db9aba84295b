import { z } from 'zod'
import type { Reader, Tx } from '../../store/database.ts'
import { json } from '../../store/database.ts'

const modelName = z.string().min(1, 'must be the name of a model').max(200, 'must be the name of a model')
const count = z.int({ error: 'must be a whole number' }).min(1, 'must be at least 1')
const globs = z.array(z.string().min(1).max(500)).max(200)

export const budgetSettings = z.strictObject({
  /** Model calls. */
  steps: count.max(10_000).optional(),
  /** Tokens in and out together. */
  tokens: count.max(1_000_000_000).optional(),
  /** US dollars. */
  cost: z.number().positive().max(100_000).optional(),
  /** Minutes of work. */
  minutes: z.number().positive().max(1440).optional(),
})

/** A repository that the agent may read and search besides its own. */
const contextRepository = z.strictObject({
  /** How the agent names it: `@name`. */
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,40}$/, 'must be a short name of a to z, 0 to 9 and hyphens'),
  kind: z.enum(['path', 'https']),
  /** Real path of a registered folder, or URL without credentials. */
  location: z.string().min(1).max(1000),
  ref: z.string().min(1).max(250).optional(),
})

/** What a project sets for itself; an absent field leaves it to the server. */
export const projectSettings = z.strictObject({
  model: modelName.optional(),
  assistantModel: modelName.optional(),
  budget: budgetSettings.optional(),
  /** What becomes of a job whose changes still have problems after the last round. */
  onProblems: z.enum(['draft', 'fail']).optional(),
  /** Globs of files outside of the content folder, or of other kinds, that the agent may change. */
  allow: globs.optional(),
  /** Globs of files that the agent never changes. */
  protect: globs.optional(),
  /** Tokens that the assistant may use per day (UTC); then it answers with passages alone. */
  assistantTokensPerDay: count.max(1_000_000_000_000).optional(),
  contextRepositories: z.array(contextRepository).max(10).optional(),
})

export type ProjectSettings = z.infer<typeof projectSettings>
export type ContextRepository = z.infer<typeof contextRepository>

/** Settings as stored; what an older version wrote and this one does not know is left out. */
export function readSettings(value: unknown): ProjectSettings {
  const parsed = z.looseObject(projectSettings.shape).safeParse(value)
  return parsed.success ? projectSettings.strip().parse(parsed.data) : {}
}

/** Replaces the fields that are given; null takes one away. @returns the settings as they are now */
export async function updateSettings(
  tx: Tx,
  projectId: string,
  change: { [Name in keyof ProjectSettings]: ProjectSettings[Name] | null },
): Promise<ProjectSettings> {
  const now = await lockSettings(tx, projectId)
  const merged = Object.fromEntries(
    Object.entries({ ...now, ...change }).filter(([, value]) => value !== null && value !== undefined),
  )
  const settings = projectSettings.parse(merged)
  await tx
    .updateTable('projects')
    .set({ settings: json(settings) })
    .where('id', '=', projectId)
    .execute()
  return settings
}

async function lockSettings(tx: Reader, projectId: string): Promise<ProjectSettings> {
  const row = await tx
    .selectFrom('projects')
    .select('settings')
    .where('id', '=', projectId)
    .forUpdate()
    .executeTakeFirst()
  return readSettings(row?.settings)
}
