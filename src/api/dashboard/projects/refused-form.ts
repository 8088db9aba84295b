import { toAppError } from '../../errors.ts'
import type { RequestContext } from '../../endpoint.ts'
import type { DashboardPorts } from '../ports.ts'

/** Why a form was refused, and how that is answered. */
export interface Refusal {
  message: string
  status: 400 | 503
}

/**
 * What to say beside a form whose work failed by a reason that people can do something about.
 * @throws whatever else it was
 */
export function refusalOf(
  ports: Pick<DashboardPorts, 'reportError'>,
  context: RequestContext,
  thrown: unknown,
): Refusal {
  const error = toAppError(thrown)
  if (error.code === 'internal') throw thrown
  if (error.code === 'unavailable') ports.reportError(error, context.get('requestId') ?? '')
  return { message: error.message, status: error.code === 'unavailable' ? 503 : 400 }
}

/** A form that was sent and refused. */
export interface RefusedForm<Name extends string> {
  form: Name
  values: URLSearchParams
  refusal: Refusal
}
