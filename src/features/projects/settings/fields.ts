import { z } from '@hono/zod-openapi'
import { isRecord } from '../../../lib/is-record.ts'
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

type Words = Pick<FieldWords, 'label' | 'option' | 'help'>

/** How doors for people call each setting, and the parts of those that are objects. */
export const settingWords = Object.fromEntries(
  table.map(([setting, row]) => {
    const words = (from: FieldWords): Words => ({ label: from.label, option: from.option, help: from.help })
    if (!('parts' in row)) return [setting, words(row)]
    const parts = Object.entries(row.parts).map(([part, from]) => [part, words(from)] as const)
    return [setting, { label: setting, parts: Object.fromEntries(parts) }]
  }),
  // The names of the fields do not outlive a loop over them.
) as Record<keyof typeof settings, { label: string } & Partial<Words> & { parts?: Record<string, Words> }>

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
