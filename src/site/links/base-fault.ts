import type { Framework, ResolvedLink } from '../site.ts'

interface Served extends Pick<Framework['links'], 'prefixes' | 'base'> {
  /** The page at an address. */
  near(path: string): string | undefined
  /** Whether something else than a page is there. */
  isKnown(path: string): boolean
  /** Whether an address is in a folder that has pages. */
  isBesidePages(path: string): boolean
}

/**
 * The fault of an address that lacks the path that the site is served below, or has it although it is added.
 * @param isRaw whether the build leaves the address as it is written
 */
export function baseFault(
  path: string,
  isRaw: boolean,
  { prefixes, base: way, near: pageAt, isKnown, isBesidePages }: Served,
): ResolvedLink | undefined {
  const [base] = prefixes
  if (base === undefined || way === undefined) return undefined
  const isWritten = prefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))
  const isNeeded = way === 'written' || isRaw
  if (isWritten === isNeeded || (way === 'optional' && !isRaw)) return undefined
  const near = pageAt(path)
  if (near === undefined && !isKnown(path)) {
    if (!isNeeded || way !== 'written') return undefined
    // Without a page of that name it may lead to another site of the host, unless it names a folder of this one.
    return isBesidePages(path) ? undefined : { kind: 'external' }
  }
  const reason = isNeeded
    ? `the site is served below ${base}, which the link lacks`
    : `the build writes ${base} before it once more`
  return { kind: 'broken', reason, near }
}
