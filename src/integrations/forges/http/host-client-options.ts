import type { HostPorts } from '../host.ts'

export interface HostLimits {
  /** Milliseconds of one request with its answer. */
  request: number
  /** Milliseconds of one operation with all its requests, repetitions and waits. */
  operation: number
  /** Of one answer. */
  bytes: number
}

export interface HostClientOptions {
  ports: HostPorts
  /** As people know the host: `GitHub`. */
  name: string
  /** Of the API, without a slash at the end: `https://api.github.com`. */
  base: string
  /**
   * The headers that prove who asks; undefined asks without. `renew` is true once after a 401: a kept token may have
   * been revoked, so get another; what cannot be renewed gives the same again. Its values never come into an error.
   */
  authorization: ((renew: boolean) => Promise<Record<string, string>>) | undefined
  /** Sent with every request, such as the API's version. */
  headers?: Record<string, string>
  /** What to do about a 403, where the answer tells: `it needs the permission "Pull requests: write"`. */
  remedy?: (answer: { headers: Headers; body: unknown; detail: string }) => string | undefined
  limits?: Partial<HostLimits>
}

export type Query = Record<string, string | number | undefined>
