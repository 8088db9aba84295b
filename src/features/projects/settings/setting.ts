import { z } from '@hono/zod-openapi'
import { isRecord } from '../../../lib/is-record.ts'

// Commands of the terminal load this folder, so nothing in it may load the store. Its `z` is the one of the API’s description:
// schemas that are made before that is loaded cannot be described, and the program loads commands first.

/** The forms of the dashboard in which fields of settings stand. */
export type SettingsForm = 'general' | 'agent' | 'assistant' | 'search' | 'policy' | 'limits' | 'widget'

/** How people type a value: in a form, and behind the option of a command. */
export interface FieldWords {
  /** Its label in the form. Messages of the form call it so. */
  label: string
  /** Below the label; `code` between backticks. */
  explain?: string
  placeholder?: string
  /** Its name in the form, where it has another one than in the API. */
  formName?: string
  /** The heading that it stands below in its form. */
  section?: string
  /** The field of the form, or of the command, behind which it stands: that before it in the table when absent. */
  shownAfter?: string
  optionAfter?: string
  /** Only for projects whose repository is at a git host. */
  hosted?: true
  /** Of text; of lists, whose items stand on lines of their own when absent. */
  typed?: 'model' | 'passage' | 'names' | 'logins' | 'repositories'
  /** What can be chosen, in the words of the form. */
  choices?: Readonly<Record<string, string>>
  /** Lines of a text area. */
  rows?: number
  /** The option as commander reads it, and its line in the help. */
  option: string
  help: string
  /** The line of the option that says no. */
  helpOff?: string
}

/** A part of a setting that is an object. */
export interface Part<Schema extends z.ZodType = z.ZodType> extends FieldWords {
  schema: Schema
  /** What holds when it is not set; absent: the server or something else says it. */
  standard?: z.output<Schema>
}

interface AboutSetting {
  /** Absent: it is no field of a form. */
  form?: SettingsForm
  /** What it does, as the documentation says it. */
  meaning: string
}

/** A setting with the rule that its value is held against, in words that follow a name: “must be …”. */
interface RuledSetting<Schema extends z.ZodType> extends AboutSetting {
  schema: Schema
  /** What may be given, where that is not what is kept. */
  given?: z.ZodType
}

interface PlainSetting<Schema extends z.ZodType = z.ZodType> extends RuledSetting<Schema>, FieldWords {
  /** What holds when it is not set; in words where the server or something else says it. */
  standard: z.output<Schema> | Words
  /** The default is kept too when it is chosen: it stays when the default becomes another. */
  keepsStandard?: true
}

interface SettingOfParts<
  Parts extends Record<string, Part> = Record<string, Part>,
> extends RuledSetting<z.ZodObject> {
  standard: Words
  parts: Parts
}

export type Setting = PlainSetting | SettingOfParts

/** A default that is no value. */
export interface Words {
  words: string
}

/** Says what holds when a setting is not set, where that is no value. */
export function unset(words: string): Words {
  return { words }
}

export function isWords(standard: unknown): standard is Words {
  return isRecord(standard) && 'words' in standard
}

/** Keeps the exact type of a setting. */
export function setting<Schema extends z.ZodType, const More extends Omit<PlainSetting<Schema>, 'schema'>>(
  schema: Schema,
  more: More,
): More & { schema: Schema } {
  return { ...more, schema }
}

/**
 * A setting that is an object of parts, any of which may be absent.
 * @param schema its name and description in the API
 */
export function settingOfParts<Parts extends Record<string, Part>>(
  schema: { id: string; description: string },
  parts: Parts,
  more: Omit<SettingOfParts, 'schema' | 'parts'>,
) {
  return { ...more, parts, schema: z.strictObject(schemasOf(parts)).partial().meta(schema) }
}

/** The schemas of a table. */
export function schemasOf<Rows extends Record<string, { schema: z.ZodType }>>(
  rows: Rows,
): { [Name in keyof Rows]: Rows[Name]['schema'] } {
  // The types of the fields do not outlive a loop over them.
  return Object.fromEntries(Object.entries(rows).map(([name, { schema }]) => [name, schema])) as {
    [Name in keyof Rows]: Rows[Name]['schema']
  }
}
