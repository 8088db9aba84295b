import type { OpenAPIHono, RouteConfig } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { Verb } from '../features/projects/allow.ts'

/** Who asks, as far as it is known: the ones whose share of what all have together a request takes. */
export interface Sharer {
  address?: string | undefined
  key?: string | undefined
  project?: string | undefined
  organization?: string | undefined
}

/** What a request carries from one middleware to the next. */
interface Variables {
  requestId: string
  sharer?: Sharer
  /** Undoes what the request counted for, once it is refused. */
  giveBack?: () => void
}

export type App = OpenAPIHono<{ Variables: Variables }>

export type RequestContext = Context<{ Variables: Variables }>

/**
 * One endpoint: its entry in the OpenAPI document, which is also where it is mounted, and its handler.
 * Handlers throw `AppError`; app.ts turns it into the error body.
 */
export interface Endpoint {
  route: RouteConfig
  /** Of a form of the dashboard: the operation that does the same over HTTP. */
  formOf?: Verb
  handle(context: RequestContext): Promise<Response>
}
