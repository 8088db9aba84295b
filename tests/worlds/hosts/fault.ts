import type { ApiAnswer, DescribedServer, Trouble } from './described-server.ts'

/** What goes wrong with a request, before or after it had its effect. */
export type Fault = 'silence' | 'silence after' | '500' | '500 after' | '429' | 'cut after' | '401'

export const faults: readonly Fault[] = [
  'silence',
  'silence after',
  '500',
  '500 after',
  '429',
  'cut after',
  '401',
]

/** For tests: the next requests that fit go wrong; `words` are the host's own for an expired token and too many requests. */
export function planFault(
  { troubles }: DescribedServer,
  fault: Fault,
  words: { expired: unknown; limited: ApiAnswer },
  wanted: { method: string; path: RegExp; times?: number },
): void {
  const trouble: Trouble = {
    matches: ({ method, path }) => method === wanted.method && wanted.path.test(path),
    happens: fault.endsWith('after') ? 'after' : 'before',
    as: answerOf(fault, words),
  }
  troubles.push(...Array.from({ length: wanted.times ?? 1 }, () => ({ ...trouble })))
}

function answerOf(fault: Fault, words: { expired: unknown; limited: ApiAnswer }): Trouble['as'] {
  switch (fault) {
    case 'silence':
    case 'silence after':
      return 'hang'
    case 'cut after':
      return 'truncate'
    case '500':
    case '500 after':
      return { status: 500, body: { message: '500 Internal Server Error' } }
    case '429':
      return words.limited
    case '401':
      return { status: 401, body: words.expired }
  }
}
