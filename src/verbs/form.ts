import { z } from '@hono/zod-openapi'
import { html } from 'hono/html'
import { withCapital } from '../api/frame/html/parts.ts'
import type { Endpoint } from '../api/endpoint.ts'
import { checkBox, textField, type Range } from '../api/frame/html/form.ts'
import type { Html } from '../api/frame/html/html.ts'
import type { Pages, ShownPage, Visit } from '../api/frame/pages.ts'
import { fieldOf } from '../api/frame/read-form.ts'
import type { Project } from '../features/projects/projects.ts'
import { numberOrText } from '../lib/amount.ts'
import { checkTyped, inWordsOf, valueOf, type NameOf } from './read-fields.ts'
import type { Address } from '../api/description/operation.ts'
import { Otherwise, secretsOf, type Deed, type FieldWords, type PathOf, type Verb } from './verb.ts'

type Field<Input extends z.ZodObject> = keyof Input['shape'] & string

/** Parameters of the path, and what of the input is not typed. */
type Fixed<Place extends Address, Input extends z.ZodObject> = object &
  PathOf<Place> &
  (keyof Input['shape'] extends never ? unknown : Partial<z.input<Input>>)

/** The fields that are typed into a form, which its page shows with `verbFields`. */
export interface TypedFields<Input extends z.ZodObject> {
  only: readonly Field<Input>[]
  /** Those that break a rule when they are empty, instead of being left out. */
  required?: readonly Field<Input>[]
}

/** A form for people who are not signed in yet. */
interface OpenFormVisit extends Pick<Visit, 'context'> {
  form: URLSearchParams
}

interface FormVisit extends Visit {
  form: URLSearchParams
}

interface ProjectVisit extends FormVisit {
  project: Project
}

/** A form that does what a verb does, in a part of it: some of its input may be given by the page. */
interface FormView<
  Where extends OpenFormVisit,
  Place extends Address,
  Input extends z.ZodObject,
  Output extends z.ZodType<object | null>,
> {
  /** None by default. */
  typed?: TypedFields<Input>
  /** What the page makes of fields itself. It is checked like what is typed. */
  reads?(visit: Where): Record<string, unknown>
  /** The page of the form, which comes back with what was typed when the form is refused. */
  shownOn?: ShownPage
  /** What the page gives itself, and the parameters of the path. Checks too that the page shows what it names. */
  given(visit: Where): Promise<Fixed<Place, Input>> | Fixed<Place, Input>
  done(visit: Where, answer: z.output<Output>): Promise<Response> | Response
}

/** A form of a project’s page. Its limits and its errors are those of the verb. */
export function verbForm<
  Ports,
  Place extends Address,
  Input extends z.ZodObject,
  Output extends z.ZodType<object | null>,
>(
  pages: Pages,
  ports: Ports,
  path: string,
  deed: Deed<Ports, Place, Input, Output>,
  view: FormView<ProjectVisit, Place, Input, Output>,
): Endpoint {
  const handle = handlerOf<Ports, ProjectVisit>(ports, deed, view)
  const form = pages.projectForm(path, deed.verb.name, handle, view.shownOn, secretsOf(deed.verb))
  return { ...form, typed: view.typed?.only ?? [] }
}

/** A form of a page outside of projects, for a verb on the server as a whole. */
export function serverForm<
  Ports,
  Place extends Address,
  Input extends z.ZodObject,
  Output extends z.ZodType<object | null>,
>(
  pages: Pages,
  ports: Ports,
  path: string,
  deed: Deed<Ports, Place, Input, Output>,
  view: FormView<FormVisit, Place, Input, Output>,
): Endpoint {
  const handle = handlerOf<Ports, FormVisit>(ports, deed, view)
  const form = pages.form(path, deed.verb.name, handle, view.shownOn, secretsOf(deed.verb))
  return { ...form, typed: view.typed?.only ?? [] }
}

/** A form for those who are not signed in yet. */
export function openForm<
  Ports,
  Place extends Address,
  Input extends z.ZodObject,
  Output extends z.ZodType<object | null>,
>(
  pages: Pages,
  ports: Ports,
  path: string,
  deed: Deed<Ports, Place, Input, Output>,
  view: FormView<OpenFormVisit, Place, Input, Output> & { shownOn: ShownPage },
): Endpoint {
  const handle = handlerOf<Ports, OpenFormVisit>(ports, deed, view)
  const form = pages.openForm(path, deed.verb.name, handle, view.shownOn, secretsOf(deed.verb))
  return { ...form, typed: view.typed?.only ?? [] }
}

type AnyFormView<Where extends OpenFormVisit> = Omit<
  FormView<Where, Address, z.ZodObject, z.ZodType<object | null>>,
  'typed'
> & { typed?: AnyFields }

interface AnyFields {
  only: readonly string[]
  required?: readonly string[] | undefined
}

function handlerOf<Ports, Where extends OpenFormVisit & Partial<ProjectVisit>>(
  ports: Ports,
  { verb, run }: Deed<Ports>,
  { typed: fields = { only: [] }, reads, given, done }: AnyFormView<Where>,
): (visit: Where) => Promise<Response> {
  return async (visit) => {
    const { context, caller = { kind: 'stranger' }, session, form, project } = visit
    const fixed = await given(visit)
    const typed = { ...typedFields(verb, fields, form), ...reads?.(visit), ...fixed }
    const input = checkTyped(verb, typed, labelOf)
    const asking = {
      caller,
      context,
      ...(project && { project }),
      shownOrganization: () => Promise.resolve(session?.organization?.id),
    }
    const answer = await run(ports, asking, { ...fixed, ...input }).catch((thrown: unknown) => {
      throw inWordsOf(verb, thrown, labelOf)
    })
    if (answer instanceof Response) return answer
    return done(visit, answer instanceof Otherwise ? answer.body : answer)
  }
}

const labelOf: NameOf = (words, field) => `“${words?.label ?? field}”`

function typedFields(
  verb: Verb,
  { only, required = [] }: AnyFields,
  form: URLSearchParams,
): Record<string, unknown> {
  return Object.fromEntries(
    only.flatMap((name) => {
      const schema = valueOf(verb.input.shape[name] ?? z.string())
      const value = typedValue(name, schema, form, verb.fields[name])
      if (value !== undefined) return [[name, value] as const]
      return required.includes(name) ? [[name, ''] as const] : []
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
  if (schema instanceof z.ZodBoolean) return fieldOf(form, name) !== ''
  const text = words?.type === 'password' ? (form.get(name) ?? '') : fieldOf(form, name)
  if (text === '') return undefined
  return schema instanceof z.ZodNumber ? numberOrText(text) : text
}

interface FieldsView<V extends Verb> extends TypedFields<V['input']> {
  /** Before the ids of fields, where a page has several forms. */
  prefix?: string
  /** What was typed before the form was refused, or what there is now. */
  typed: URLSearchParams
  /** What a list is chosen of. */
  choices?: Partial<Record<keyof V['input']['shape'], readonly string[]>>
  /** What one value is chosen of, with its label. */
  options?: Partial<Record<keyof V['input']['shape'], readonly (readonly [value: string, label: string])[]>>
  /** Words of this form instead of the verb’s. */
  words?: Partial<Record<keyof V['input']['shape'], Partial<FieldWords>>>
}

/** The fields of a verb’s form, with the limits of its input. */
export function verbFields<V extends Verb>(verb: V, view: FieldsView<V>): Html[] {
  return view.only.map((name) =>
    fieldFor(verb.input.shape[name] ?? z.string(), {
      name,
      id: `${view.prefix ?? ''}${name}`,
      words: { label: name, ...verb.fields[name], ...view.words?.[name] },
      typed: view.typed,
      choices: view.choices?.[name],
      options: view.options?.[name],
      required: view.required?.includes(name) === true,
    }),
  )
}

interface FormField {
  name: string
  id: string
  words: FieldWords
  typed: URLSearchParams
  choices: readonly string[] | undefined
  options: readonly (readonly [value: string, label: string])[] | undefined
  required: boolean
}

function fieldFor(original: z.core.$ZodType, field: FormField): Html {
  const schema = valueOf(original)
  const { name, id, words, typed, choices, options, required } = field
  const { label, hint, below, placeholder = '', lines, rows, code, draft, type, autocomplete } = words
  const title = html`${label}${hint === undefined ? '' : html` <span class="muted">(${hint})</span>`}`
  const usual = original instanceof z.ZodDefault ? String(original.def.defaultValue) : ''
  const value = typed.get(name) ?? usual
  const maximum = schema instanceof z.ZodString ? (schema.maxLength ?? undefined) : undefined
  if (choices !== undefined)
    return html`<fieldset>
      <legend>${title}</legend>
      ${choices.map((choice) => checkBox(name, choice, typed.has(name, choice), choice))}
    </fieldset>`
  if (options !== undefined)
    return html`<label for="${id}">${title}</label>
      <select id="${id}" name="${name}">
        ${options.map(([option, text]) => html`<option value="${option}" ${option === value ? html` selected` : ''}>${withCapital(text)}</option>`)}
      </select>`
  if (lines || rows !== undefined)
    return html`<label for="${id}">${title}</label>
      <textarea
        id="${id}"
        name="${name}"
        rows="${rows ?? 2}"
        ${maximum === undefined ? '' : html` maxlength="${maximum}"`}
        placeholder="${placeholder}"
        ${required ? html` required` : ''}
        ${draft ? html` data-draft` : ''}
        ${code ? html` class="code" spellcheck="false"` : ''}
      >
${value}</textarea>`
  if (schema instanceof z.ZodBoolean) return checkBox(name, 'yes', typed.has(name), title)
  const range = schema instanceof z.ZodNumber ? rangeOf(schema) : undefined
  return html`${textField({ name, label: title, value, placeholder, required, ...(range && { range }), ...(maximum !== undefined && { maximum }), ...(type !== undefined && { type }), ...(autocomplete !== undefined && { autocomplete }), ...(below !== undefined && { hint: below }) }, id.slice(0, id.length - name.length))}`
}

/** Limits that nobody reaches are those of the type, not of the rule. */
function rangeOf({ minValue, maxValue, isInt }: z.ZodNumber): Range {
  const limit = (value: number | null): number | undefined =>
    value === null || Math.abs(value) > 1e9 ? undefined : value
  return { least: limit(minValue), most: limit(maxValue), whole: isInt }
}
