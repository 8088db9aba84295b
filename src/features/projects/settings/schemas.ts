import { z } from '@hono/zod-openapi'
import { AppError } from '../../../lib/errors.ts'
import { isRecord } from '../../../lib/is-record.ts'
import { checkInput, quotedField } from '../../../lib/text/issue-sentence.ts'
import { hasUnstorable } from '../../../lib/text/plain-text.ts'
import { isWords, schemasOf, type Words } from './setting.ts'
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

const defaults = Object.fromEntries(
  Object.entries(settings).flatMap(([name, { standard }]) => (isWords(standard) ? [] : [[name, standard]])),
) as Defaults

/** The settings, with the defaults for those that are not set. */
export function withDefaults(own: ProjectSettings): Omit<ProjectSettings, Defaulted> & Defaults {
  const set = Object.entries(own).filter(([, value]) => value !== undefined)
  return { ...own, ...defaults, ...Object.fromEntries(set) }
}

/** Validates input from people. @throws AppError `invalid` that names the field */
export function parseGiven<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const checked = checkInput(schema, input, quotedField('The settings'))
  if (hasUnstorable(JSON.stringify(checked)))
    throw new AppError('invalid', 'A setting contains a character that cannot be kept')
  return checked
}
