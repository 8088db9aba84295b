import type { OpenAPIHono, RouteConfig } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { Project } from '../features/projects/projects.ts'
import type { LimitSizes } from '../features/projects/limits.ts'
import type { Session } from '../features/projects/sign-in.ts'
import type { Verb } from '../features/projects/rights.ts'
import type { AppError } from '../lib/errors.ts'
import type { Trouble } from '../lib/machine-trouble.ts'

/** Those whom a request counts for in rates and shared pools, as far as they are known. */
export interface Sharer {
  address?: string | undefined
  key?: string | undefined
  person?: string | undefined
  project?: string | undefined
  organization?: string | undefined
}

/** A person who is signed in, and what every page tells them about the server. */
export interface Visitor extends Session {
  trouble?: Trouble | undefined
  /** What is under way and what waits for a person in the project of the page. */
  waiting?: WaitingInProject | undefined
}

export interface WaitingInProject {
  /** Jobs at work. */
  active: number
  /** Jobs whose agent asks something. */
  questions: number
  /** Open pull requests of jobs. */
  pulls: number
  /** Undefined before the first check. */
  problems: number | undefined
}

/** Values that middleware and handlers of a request share. */
interface Variables {
  requestId: string
  /** The OpenAPI document of this server. */
  describe: () => object
  /** Origin of the pages of this server, as people reach it. */
  ownOrigin?: string
  /** Nobody with a key or a session asks, but somebody on a public page of this server. */
  isReader?: boolean
  sharer?: Sharer
  /** Only for exchange.ts. */
  exchange?: AbortSignal
  /** The sizes of limits in the organization of the project that is meant. */
  limitSizes?: LimitSizes
  /** Returns what the request has taken from a rate, when it is refused. */
  giveBack?: () => void
  /** Writes an error in the form that the protocol of the endpoint has for it. */
  writeError?: (error: AppError) => Response
  /** Who asks for a page and which project it is about, also when it turns out to be an error page. */
  visitor?: Visitor
  project?: Project
  refused?: RefusedForm
}

/** A form that was refused. Its page is shown again with what was typed. */
export interface RefusedForm {
  /** Where it was sent. */
  path: string
  /** What was typed, without secrets. */
  values: URLSearchParams
  message: string
}

export type App = OpenAPIHono<{ Variables: Variables }>

export type RequestContext = Context<{ Variables: Variables }>

/**
 * One endpoint: its entry in the OpenAPI document, which is also where it is mounted, and its handler.
 * Handlers throw `AppError`; app.ts turns it into the error body.
 */
export interface Endpoint {
  route: RouteConfig
  /** For a form of the dashboard: the API operation that does the same. */
  formOf?: Verb
  /** The fields of that operation that are typed into the form, where the form is made of it. */
  typed?: readonly string[]
  handle(context: RequestContext): Promise<Response>
}
