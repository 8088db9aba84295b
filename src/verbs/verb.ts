import type { z } from '@hono/zod-openapi'
import type { Address, Description } from '../api/description/operation.ts'
import type { RequestContext } from '../api/endpoint.ts'
import type { Caller } from '../features/projects/allow.ts'
import type { Project } from '../features/projects/projects.ts'
import type { Verb as VerbName } from '../features/projects/rights.ts'
import { AppError } from '../lib/errors.ts'
import { hasUnstorable } from '../lib/text/plain-text.ts'
import { present, type Recorded } from './present.ts'

// Terminal commands load this file and the verbs, so neither may load anything of the server.

/** What doors for people call a field. */
export interface FieldWords {
  /** Its label in forms. */
  label: string
  /** What an empty field means, or how to write the value. */
  hint?: string
  /** What stands below the field. */
  below?: string
  placeholder?: string
  /** What browsers take the text for. A password is taken as it was typed, with spaces at its ends. */
  type?: 'email' | 'password'
  /** What browsers and password managers fill in. */
  autocomplete?: string
  /** A list is typed in a text area, one item per line. */
  lines?: true
  /** A text is typed in a text area with so many rows. */
  rows?: number
  /** It is read by programs, so that its columns matter. */
  code?: true
  /** The browser keeps what is typed until it is sent. */
  draft?: true
  /** It is never shown again once it is typed. */
  secret?: true
  /** Its parts, where it is an object that several fields are for. */
  parts?: Readonly<Record<string, FieldWords>>
  /** The option of the terminal's command, as commander reads it; absent: the command has none. */
  option?: string
  /** The option in the help of the command. */
  help?: string
}

/** How a path names its project. */
const projectPlaces = ['projectId', 'domain'] as const
type ProjectPlace = (typeof projectPlaces)[number]

/** The parameters of a path, but for its project. */
export type PathOf<Place extends string> = Place extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends ProjectPlace ? unknown : Record<Name, string>) & PathOf<Rest>
  : unknown

/** All parameters of a path. */
export type NamesIn<Place extends string> = Place extends `${string}{${infer Name}}${infer Rest}`
  ? Record<Name, string> & NamesIn<Rest>
  : unknown

/** The names of the parameters of a path, but for its project, and how it names that; undefined outside of projects. */
export function placesOf(path: string): { project: ProjectPlace | undefined; others: string[] } {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const project = projectPlaces.find((place) => names.includes(place))
  return { project, others: names.filter((name) => name !== project) }
}

/**
 * What the product can do, once for all doors: HTTP, forms, the terminal and tools of agents take names, limits and words
 * from here. Its right stands in `rights`, its line in the audit in `audited`, by its name.
 */
export interface Verb<
  Place extends Address = Address,
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType<object | null> = z.ZodType<object | null>,
> extends Pick<Description, 'tag' | 'summary' | 'description' | 'errors' | 'headers'> {
  name: VerbName
  address: Place
  /** The query of a `get`, else the body; parameters of the path come beside it. */
  input: Input
  /** The input is the query, although the verb is no `get`. */
  asQuery?: true
  output: Output
  answer: readonly [status: 200 | 201 | 202, text: string]
  /** A second status of success, with the same output. What is run answers with `Otherwise` then. */
  otherwise?: readonly [status: 200 | 201 | 202, text: string]
  /** Other forms of success, for which what is run answers with the whole response. */
  also?: Description['responses']
  /** One entry for each field of the input. */
  fields: Record<keyof Input['shape'], FieldWords>
}

/** What a verb is given: its input, and the parameters of its path. */
export type GivenTo<Place extends Address, Input extends z.ZodObject> = object &
  PathOf<Place> &
  (keyof Input['shape'] extends never ? unknown : z.output<Input>)

export type InputOf<V extends Verb> = GivenTo<V['address'], V['input']>

/** Keeps the exact types of a verb. */
export function defineVerb<
  const Place extends Address,
  Input extends z.ZodObject,
  Output extends z.ZodType<object | null>,
>(verb: Verb<Place, Input, Output>): Verb<Place, Input, Output> {
  return verb
}

/** Who asks for something, at whatever door. */
export interface Asking {
  caller: Caller
  /** The organization that the caller’s session shows; undefined without one. */
  shownOrganization(): Promise<string | undefined>
}

/** The request, for verbs that open or end sessions, that end with their client, or that answer it in its own form. */
interface AtDoor extends Asking {
  context: RequestContext
}

interface AskingInProject extends AtDoor {
  project: Project
}

type AskingAt<Place extends string> = Place extends `${string}{${ProjectPlace}}${string}`
  ? AskingInProject
  : AtDoor

/** The answer of a verb with its second status. */
export class Otherwise<Body> {
  readonly body: Body

  constructor(body: Body) {
    this.body = body
  }
}

/** The names of what is never shown again once it is typed, as forms call them. */
export function secretsOf({ fields }: Pick<Verb, 'fields'>): string[] {
  return Object.entries(fields).flatMap(([name, { secret, parts = {} }]) => [
    ...(secret ? [name] : []),
    ...secretsOf({ fields: parts }),
  ])
}

/** A verb and what it does. Made by `deed`. */
export interface Deed<
  Ports,
  Place extends Address = Address,
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType<object | null> = z.ZodType<object | null>,
> {
  verb: Verb<Place, Input, Output>
  /** @throws AppError for what cannot be done */
  run(
    ports: Ports,
    asking: AskingAt<Place>,
    given: GivenTo<Place, Input>,
  ): Promise<z.output<Output> | Otherwise<z.output<Output>> | Response>
}

/** What a verb does. Its answer is made of the records that it gives. */
type Run<Ports, Place extends Address, Input extends z.ZodObject, Output extends z.ZodType<object | null>> = (
  ...asked: Parameters<Deed<Ports, Place, Input, Output>['run']>
) => Promise<Recorded<z.output<Output>> | Otherwise<Recorded<z.output<Output>>> | Response>

/** What the database cannot hold, in a path, is nowhere. */
export function deed<
  Ports,
  Place extends Address,
  Input extends z.ZodObject,
  Output extends z.ZodType<object | null>,
>(
  verb: Verb<Place, Input, Output>,
  run: Run<Ports, Place, Input, Output>,
): Deed<Ports, Place, Input, Output> {
  return {
    verb,
    run: async (ports, asking, given) => {
      const { others } = placesOf(verb.address)
      const named: [string, unknown][] = Object.entries(given)
      for (const [name, id] of named)
        if (others.includes(name) && typeof id === 'string' && hasUnstorable(id))
          throw new AppError('not_found', 'No such thing here. Check the ID')
      const done = await run(ports, asking, given)
      if (done instanceof Response) return done
      return done instanceof Otherwise
        ? new Otherwise(present(verb.output, done.body))
        : present(verb.output, done)
    },
  }
}
