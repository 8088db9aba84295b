/** One kind of request that a model understands by rules, as a form: its fields make the sentence that is sent. */
export interface Ability {
  name: string
  title: string
  group: string
  /** What it does, in a line. */
  description: string
  fields: readonly AbilityField[]
  /** The sentence, from values that are not empty by the names of the fields. */
  say(values: Values): string
}

export type Values = Readonly<Record<string, string | undefined>>

export interface AbilityField {
  name: string
  label: string
  /** `place`: a page, or a folder with a slash at its end. `lines`: a text of any length. */
  kind: 'text' | 'lines' | 'page' | 'place' | 'choice'
  isOptional?: true
  example?: string
  /** What the text must look like: a regular expression for the whole of it. */
  pattern?: string
  /** Of a choice; the first is the usual one. */
  choices?: readonly { value: string; label: string }[]
}
