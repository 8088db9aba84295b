/**
 * What follows the host of a site in an address; undefined for one of another site.
 * @param address where the site is published, where it says so
 * @param prefixes the paths below which it is served: beside them, its host may have other sites
 */
export function addressHere(
  address: string | undefined,
  prefixes: readonly string[],
  href: string,
): string | undefined {
  const host = address === undefined ? undefined : /^https?:(\/\/[^/?#\s]+)/i.exec(address)?.[1]
  if (host === undefined || !/^https?:\/\//i.test(href)) return undefined
  const rest = href.slice(href.indexOf('//'))
  const inside = rest.startsWith(`${host}/`) ? rest.slice(host.length) : undefined
  const isBelow = prefixes.some((prefix) => `${inside}/`.startsWith(`${prefix}/`))
  return prefixes.length === 0 || isBelow ? inside : undefined
}
