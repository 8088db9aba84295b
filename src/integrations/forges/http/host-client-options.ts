import type { HostPorts } from '../host.ts'

export interface HostLimits {
  /** Most milliseconds of one request with its answer. */
  request: number
  /** Most milliseconds of one operation with all its requests, repetitions and waits. */
  operation: number
  /** Most bytes of one answer. */
  bytes: number
}

export interface HostClientOptions {
  ports: HostPorts
  /** The host's name for messages: `GitHub`. */
  name: string
  /** The address of the API, without a slash at its end: `https://api.github.com`. */
  base: string
  /**
   * The headers of authentication; undefined for requests without any. `renew` is true once after a 401, because a
   * kept token may have been revoked. Credentials that cannot be renewed return the same headers again. The values
   * never get into an error.
   */
  authorization: ((renew: boolean) => Promise<Record<string, string>>) | undefined
  /** Sent with every request, such as the API's version. */
  headers?: Record<string, string>
  /** What to do about a 403, where the answer tells: `it needs the permission "Pull requests: write"`. */
  remedy?: (answer: { headers: Headers; body: unknown; detail: string }) => string | undefined
  limits?: Partial<HostLimits>
}

export type Query = Record<string, string | number | undefined>
