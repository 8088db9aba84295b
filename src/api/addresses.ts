import { mayDo, type Caller } from '../features/projects/allow.ts'
import type { Verb } from '../features/projects/rights.ts'

type Method = 'get' | 'post'

interface Address {
  method: Method
  segments: readonly string[]
  verb: Verb
}

/**
 * Pages and forms, each with what one has to be allowed there, in the order in which they are mounted. They are facts
 * of the program, the same for every server that a process makes, so every link may ask without being handed them.
 */
const addresses = new Map<string, Address>()

/** Notes what one has to be allowed at the address of a page or a form, so that nobody is led there for nothing. */
export function noteAddress(method: Method, path: string, verb: Verb): void {
  addresses.set(`${method} ${path}`, { method, segments: path.split('/'), verb })
}

/**
 * Whether to lead somebody to a page (`get`) or a form (`post`) of this server. It asks again itself, and so does what
 * is at other addresses, which count as open.
 * @param organizationId the one that the page or form is about
 */
export function mayGo(
  caller: Caller,
  method: Method,
  url: string,
  organizationId: string | undefined,
): boolean {
  const path = url.split(/[?#]/, 1).join('').split('/')
  for (const { method: one, segments, verb } of addresses.values())
    if (one === method && fits(segments, path)) return mayDo(caller, verb, organizationId)
  return true
}

function fits(segments: readonly string[], path: readonly string[]): boolean {
  return (
    segments.length === path.length &&
    segments.every((segment, index) => segment.startsWith('{') || segment === path[index])
  )
}
