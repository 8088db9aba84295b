import { z } from '@hono/zod-openapi'
import { html } from 'hono/html'
import type { Endpoint } from '../api/endpoint.ts'
import { checkBox, textField } from '../api/frame/html/form.ts'
import type { Html } from '../api/frame/html/html.ts'
import type { Pages, Visit } from '../api/frame/pages.ts'
import { fieldOf } from '../api/frame/read-form.ts'
import type { Project } from '../features/projects/projects.ts'
import { checkTyped, valueOf } from './read-fields.ts'
import type { Address } from '../api/description/operation.ts'
import type { Deed, FieldWords, PathOf, Verb } from './verb.ts'

type ProjectVisit = Visit & { project: Project; form: URLSearchParams }

/** Parameters of the path, and what of the input is not typed. */
type Fixed<Place extends Address, Input extends z.ZodObject> = object &
  PathOf<Place> &
  (keyof Input['shape'] extends never ? unknown : Partial<z.input<Input>>)

/** A form that does what a verb does, in a part of it: some of its input may be given by the page. */
interface FormView<Place extends Address, Input extends z.ZodObject, Output extends z.ZodType<object>> {
  /** The page of the form, which comes back with what was typed when the form is refused. */
  shownOn?: Endpoint
  /** What the page gives itself, and the parameters of the path. Checks too that the page shows what it names. */
  given(visit: ProjectVisit): Promise<Fixed<Place, Input>> | Fixed<Place, Input>
  done(visit: ProjectVisit, answer: z.output<Output>): Promise<Response> | Response
}

/** A form of a project’s page. Its limits and its errors are those of the verb. */
export function verbForm<
  Ports,
  Place extends Address,
  Input extends z.ZodObject,
  Output extends z.ZodType<object>,
>(
  pages: Pages,
  ports: Ports,
  path: string,
  { verb, run }: Deed<Ports, Place, Input, Output>,
  { shownOn, given, done }: FormView<Place, Input, Output>,
): Endpoint {
  return pages.projectForm(
    path,
    verb.name,
    async (visit) => {
      const { caller, session, form, project } = visit
      const fixed = await given(visit)
      const typed = { ...typedFields(verb, form), ...fixed }
      const words: Record<string, FieldWords> = verb.fields
      const input = checkTyped(verb, typed, (field) => `“${words[field]?.label ?? field}”`)
      const shownOrganization = () => Promise.resolve(session.organization?.id)
      return done(visit, await run(ports, { caller, project, shownOrganization }, { ...fixed, ...input }))
    },
    shownOn,
  )
}

function typedFields(verb: Verb, form: URLSearchParams): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(verb.input.shape).flatMap(([name, schema]) => {
      const value = typedValue(name, valueOf(schema), form, verb.fields[name])
      return value === undefined ? [] : [[name, value] as const]
    }),
  )
}

// An empty field is one that was left out.
function typedValue(
  name: string,
  schema: z.core.$ZodType,
  form: URLSearchParams,
  words?: FieldWords,
): unknown {
  if (schema instanceof z.ZodArray)
    return words?.lines
      ? fieldOf(form, name)
          .split(/[\s,]+/)
          .filter((line) => line !== '')
      : form.getAll(name)
  if (schema instanceof z.ZodBoolean) return form.has(name)
  const text = fieldOf(form, name)
  if (text === '') return undefined
  return schema instanceof z.ZodNumber ? Number(text) : text
}

interface FieldsView<V extends Verb> {
  /** Before the ids of fields, where a page has several forms. */
  prefix?: string
  /** What was typed before the form was refused. */
  typed: URLSearchParams
  only: readonly (keyof V['input']['shape'] & string)[]
  /** What a list is chosen of. */
  choices?: Partial<Record<keyof V['input']['shape'], readonly string[]>>
  /** Words of this form instead of the verb’s. */
  words?: Partial<Record<keyof V['input']['shape'], Partial<FieldWords>>>
}

/** The fields of a verb’s form, with the limits of its input. */
export function verbFields<V extends Verb>(
  verb: V,
  { prefix = '', typed, only, choices = {}, words = {} }: FieldsView<V>,
): Html[] {
  return only.map((name) => {
    const {
      label,
      hint,
      placeholder = '',
      lines,
    }: FieldWords = { label: name, ...verb.fields[name], ...words[name] }
    const title = html`${label}${hint === undefined ? '' : html` <span class="muted">(${hint})</span>`}`
    const id = `${prefix}${name}`
    const chosen = choices[name]
    if (chosen !== undefined)
      return html`<fieldset>
        <legend>${title}</legend>
        ${chosen.map((choice) => checkBox(name, choice, typed.has(name, choice), choice))}
      </fieldset>`
    if (lines)
      return html`<label for="${id}">${title}</label>
        <textarea id="${id}" name="${name}" rows="2" placeholder="${placeholder}">
${typed.get(name) ?? ''}</textarea>`
    const schema = valueOf(verb.input.shape[name] ?? z.string())
    const maximum = schema instanceof z.ZodString ? schema.maxLength : null
    const numeric = schema instanceof z.ZodNumber
    return html`${textField({ name, label: title, value: typed.get(name), placeholder, numeric, ...(maximum !== null && { maximum }) }, prefix)}`
  })
}
