import { readWholeNumber } from '../../../lib/whole-number.ts'

/**
 * The query of the next page from a `Link` header. Its origin and path are ignored, because they may be the host's
 * public ones.
 */
export function nextQuery(headers: Headers): URLSearchParams | undefined {
  return linkedQuery(headers, 'next')
}

/** The number of the last page, where the host links it; undefined on the last page. */
export function lastPage(headers: Headers): number | undefined {
  return readWholeNumber(linkedQuery(headers, 'last')?.get('page'))
}

function linkedQuery(headers: Headers, relation: 'next' | 'last'): URLSearchParams | undefined {
  // Long enough for every real header; the pattern is linear.
  const link = (headers.get('link') ?? '').slice(0, 8192)
  for (const part of link.split(/,\s*(?=<)/)) {
    const [target = '', ...parameters] = part.split(';')
    if (!parameters.some((parameter) => relationOf(parameter) === relation)) continue
    const address = target.trim().slice(1, -1)
    if (URL.canParse(address, 'https://host.example')) {
      return new URL(address, 'https://host.example').searchParams
    }
  }
  return undefined
}

function relationOf(parameter: string): string | undefined {
  return /^\s*rel\s*=\s*"?([a-z]+)"?\s*$/i.exec(parameter)?.[1]?.toLowerCase()
}
