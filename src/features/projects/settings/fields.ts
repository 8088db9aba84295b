import { z } from '@hono/zod-openapi'
import { isRecord } from '../../../lib/is-record.ts'
import { placeBelow } from '../../../lib/text/issue-sentence.ts'
import type { ProjectSettings } from './schemas.ts'
import type { FieldWords, Setting, SettingsForm } from './setting.ts'
import { settings } from './table.ts'

/** A setting, or a part of one, as people type it. */
export interface SettingField extends FieldWords {
  /** Its name in forms, by which other fields stand after it. */
  name: string
  setting: string
  part: string | undefined
  form: SettingsForm | undefined
  kind: 'text' | 'number' | 'truth' | 'choice' | 'list'
  /** The most characters of a text, where there is such a limit. */
  most: number | undefined
  /** The value that is chosen by default. */
  standard: unknown
  keepsStandard: boolean
}

const table: readonly (readonly [name: string, setting: Setting])[] = Object.entries(settings)

export const settingNames = table.map(([name]) => name)

const fields = table.flatMap(([setting, row]): SettingField[] => {
  const { form, schema, standard } = row
  const common = { setting, form, keepsStandard: 'keepsStandard' in row, standard }
  return 'parts' in row
    ? Object.entries(row.parts).map(([part, { schema, ...words }]) => ({
        ...words,
        ...common,
        ...ruleOf(schema),
        part,
        name: words.formName ?? part,
      }))
    : [{ ...row, ...common, ...ruleOf(schema), part: undefined, name: row.formName ?? setting }]
})

function ruleOf(schema: z.ZodType): Pick<SettingField, 'kind' | 'most'> {
  const most = schema instanceof z.ZodString ? (schema.maxLength ?? undefined) : undefined
  if (schema instanceof z.ZodNumber) return { kind: 'number', most }
  if (schema instanceof z.ZodBoolean) return { kind: 'truth', most }
  if (schema instanceof z.ZodEnum) return { kind: 'choice', most }
  return { kind: schema instanceof z.ZodArray ? 'list' : 'text', most }
}

/** The fields of a form, in its order. */
export function fieldsOfForm(form: SettingsForm): SettingField[] {
  return arranged('shownAfter').filter((field) => field.form === form)
}

/** All fields, in the order of the options of the terminal’s command. */
export function fieldsOfCommand(): SettingField[] {
  return arranged('optionAfter')
}

function arranged(after: 'shownAfter' | 'optionAfter'): SettingField[] {
  const behind = (field: SettingField): SettingField[] => [
    field,
    ...fields.filter((other) => other[after] === field.name).flatMap(behind),
  ]
  return fields.filter((field) => field[after] === undefined).flatMap(behind)
}

/** What was typed into a field; null removes what it was. */
export type Typed = readonly [field: SettingField, value: unknown]

/**
 * The change of settings that fields ask for. Parts that are not typed stay as they are.
 * @param change what is changed besides, and first
 */
export function changeOf(
  typed: readonly Typed[],
  before: ProjectSettings,
  change: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const changed = { ...change }
  for (const [field, value] of typed)
    if (field.part === undefined) changed[field.setting] = value
    else {
      const whole = field.setting in changed ? changed[field.setting] : valueOf(before, field.setting)
      const parts = Object.entries({ ...(isRecord(whole) ? whole : {}), [field.part]: value })
      const left = parts.filter(([, one]) => one !== null)
      changed[field.setting] = left.length === 0 ? null : Object.fromEntries(left)
    }
  return changed
}

/** What a field holds now; undefined when it is not set. */
export function valueOfField({ setting, part }: SettingField, values: ProjectSettings): unknown {
  const value = valueOf(values, setting)
  return part === undefined ? value : isRecord(value) ? value[part] : undefined
}

function valueOf(values: ProjectSettings, name: string): unknown {
  return new Map<string, unknown>(Object.entries(values)).get(name)
}

/** The items of a list as people type them: names are separated by commas, logins may have the `@` of mentions. */
export function itemsOf({ typed }: SettingField, text: string): string[] {
  const isNames = typed === 'names' || typed === 'logins'
  const items = text
    .split(isNames ? /[,\n]/ : '\n')
    .map((item) => item.trim().replace(typed === 'logins' ? /^@/ : '', ''))
    .filter((item) => item !== '')
  return isNames ? [...new Set(items)] : items
}

/**
 * Calls a setting as a door for people does, where a message begins with its path in the API.
 * @param nameOf what the door calls the field. An item is named last: rules are said of the whole list
 */
export function nameField(message: string, nameOf: (field: SettingField) => string): string {
  const [before, path = '', ...rest] = message.split('`')
  if (before !== '' || rest.length === 0) return message
  const [setting, part, ...below] = path.split('.')
  const field = fields.find((one) => one.setting === setting && (one.part ?? part) === part)
  if (field === undefined) return message
  const place = field.part === undefined && part !== undefined ? [part, ...below] : below
  return `${nameOf(field)}${rest.join('`')}${placeBelow(place)}`
}
