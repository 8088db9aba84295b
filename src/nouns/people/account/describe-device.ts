const browsers = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
  ['curl/', 'curl'],
] as const

const systems = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const

/** `Firefox on Linux`, read from a `User-Agent` header. */
export function describeDevice(userAgent: string | undefined): string {
  const nameIn = (list: readonly (readonly [string, string])[]): string | undefined =>
    list.find(([mark]) => userAgent?.includes(mark) === true)?.[1]
  const [browser, system] = [nameIn(browsers), nameIn(systems)]
  if (browser === undefined) return system ?? 'An unknown program'
  return system === undefined ? browser : `${browser} on ${system}`
}
