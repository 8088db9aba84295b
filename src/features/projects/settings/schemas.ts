import { z } from '@hono/zod-openapi'
import { AppError } from '../../../lib/errors.ts'
import { isRecord } from '../../../lib/is-record.ts'
import { checkInput, quotedField } from '../../../lib/text/issue-sentence.ts'
import { hasUnstorable } from '../../../lib/text/plain-text.ts'
import { isWords, schemasOf, type Setting, type Words } from './setting.ts'
import { settings } from './table.ts'

const schemas = schemasOf(settings)

/** The settings of a project; the defaults apply for absent fields. */
export const projectSettings = z.strictObject(schemas).partial().meta({
  id: 'ProjectSettings',
  description: 'The settings of a project; an absent one is the server’s default.',
})

export type ProjectSettings = z.infer<typeof projectSettings>

type Table = typeof settings
type Given = {
  [Name in keyof Table]: z.ZodNullable<
    Table[Name] extends { given: infer Schema extends z.ZodType } ? Schema : Table[Name]['schema']
  >
}

/** A change of settings: null removes a setting, an absent field leaves it unchanged. */
export const settingsChange = z.strictObject(givenSchemas()).partial().meta({
  id: 'ProjectSettingsChange',
  description: 'A change of settings: null removes one, an absent field leaves it unchanged.',
})

function givenSchemas(): Given {
  const nullable = Object.entries(settings).map(([name, row]) => {
    const schema: z.ZodType = 'given' in row ? row.given : row.schema
    return [name, schema.nullable()]
  })
  // The types of the fields do not outlive a loop over them.
  return Object.fromEntries(nullable) as Given
}

/**
 * Reads stored settings. A value that this version does not know is left out, as another one may have written it. What the
 * agent may change beyond the usual is left out too when what it may not cannot be read.
 */
export function readSettings(stored: unknown): ProjectSettings {
  const { data = {} } = readable.safeParse(stored)
  const isUnprotected =
    isRecord(stored) && isRecord(data) && 'protect' in stored && data.protect === undefined
  return isUnprotected ? { ...data, allow: undefined } : data
}

const readable = z.object(
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]: [string, z.ZodType]) => [
      name,
      schema.optional().catch(undefined),
    ]),
  ) as { [Name in keyof Table]: z.ZodCatch<z.ZodOptional<Table[Name]['schema']>> },
)

/** The settings whose default is a value. */
type Defaulted = {
  [Name in keyof Table]: Table[Name]['standard'] extends Words ? never : Name
}[keyof Table]

type Defaults = { [Name in Defaulted]: NonNullable<ProjectSettings[Name]> }

/** The parts of a setting whose default is a value. */
type Standards<Parts> = {
  [Name in keyof Parts as Parts[Name] extends { standard: unknown } ? Name : never]: Parts[Name] extends {
    schema: infer Schema extends z.ZodType
  }
    ? z.output<Schema>
    : never
}

/** The settings that have such parts. */
type WithParts = {
  [
    Name in keyof Table as Table[Name] extends { parts: infer Parts }
      ? keyof Standards<Parts> extends never
        ? never
        : Name
      : never
  ]: NonNullable<ProjectSettings[Name]> &
    (Table[Name] extends { parts: infer Parts } ? Standards<Parts> : never)
}

type Complete = Omit<ProjectSettings, Defaulted | keyof WithParts> & Defaults & WithParts

const rows: [name: string, row: Setting][] = Object.entries(settings)

const defaults = rows.flatMap(([name, row]): [string, unknown][] => {
  if (!('parts' in row)) return isWords(row.standard) ? [] : [[name, row.standard]]
  const parts = Object.entries(row.parts).filter(([, { standard }]) => standard !== undefined)
  const standards = parts.map(([part, { standard }]) => [part, standard] as const)
  return standards.length === 0 ? [] : [[name, Object.fromEntries(standards)]]
})

/** The settings, with the defaults for those that are not set, and for parts that are not. */
export function withDefaults(own: ProjectSettings): Complete {
  const set: Record<string, unknown> = { ...own }
  const complete = defaults.map(([name, standard]) => {
    const value = set[name]
    return [name, isRecord(value) && isRecord(standard) ? { ...standard, ...value } : (value ?? standard)]
  })
  // The names of the fields do not outlive a loop over them.
  return { ...own, ...Object.fromEntries(complete) } as Complete
}

/** Validates input from people. @throws AppError `invalid` that names the field */
export function parseGiven<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const checked = checkInput(schema, input, quotedField('The settings'))
  if (hasUnstorable(JSON.stringify(checked)))
    throw new AppError('invalid', 'A setting contains a character that cannot be kept')
  return checked
}
