/** The headers of answers that the description names once, and where they are. */
const texts = {
  'X-Request-Id': 'The request, as the server’s log names it.',
  'X-Error-Code': 'What kind of error it is: a code that stays the same while sentences change.',
  'Retry-After': 'Seconds after which the same request may succeed.',
  'WWW-Authenticate': 'How to authenticate.',
  RateLimit: 'The limit that was reached, what remains of it, and the seconds until there is more.',
  'RateLimit-Policy': 'The size of the limit and its time.',
  ETag: 'The version of what was answered, to be sent back as `If-None-Match`.',
  'X-Thread-Id': 'The thread of the question.',
  'X-Thread-Key': 'Comes when a thread begins. Clients may send it back, and need not.',
  'Idempotency-Replayed': '`true`: the answer of an earlier request with this `Idempotency-Key`.',
} as const

export type NamedHeader = keyof typeof texts

const whole = { type: 'integer', format: 'int32' } as const
const text = { type: 'string' } as const

/** For `components.headers`. */
export const headerComponents = Object.entries(texts).map(
  ([name, description]) => [name, { description, schema: name === 'Retry-After' ? whole : text }] as const,
)

/** For the `headers` of a response. */
export function headersNamed(...names: NamedHeader[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** Those of an error with this status. */
export function headersOfError(status: number): Record<string, { $ref: string }> {
  const more: Record<number, NamedHeader[]> = {
    401: ['WWW-Authenticate'],
    429: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
    503: ['Retry-After'],
  }
  return headersNamed('X-Request-Id', 'X-Error-Code', ...(more[status] ?? []))
}
