/** The query of the next page from a `Link` header: its path may name the host as others see it, so it is not used. */
export function nextQuery(headers: Headers): URLSearchParams | undefined {
  // Long enough for every real one; the pattern is linear.
  const link = (headers.get('link') ?? '').slice(0, 8192)
  for (const part of link.split(/,\s*(?=<)/)) {
    const [target = '', ...parameters] = part.split(';')
    if (!parameters.some((parameter) => /^\s*rel\s*=\s*"?next"?\s*$/i.test(parameter))) continue
    const address = target.trim().slice(1, -1)
    if (URL.canParse(address, 'https://host.example')) {
      return new URL(address, 'https://host.example').searchParams
    }
  }
  return undefined
}
