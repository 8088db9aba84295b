import type { CommitReport } from './combine.ts'
import type { ImpactPage, ImpactReport } from './findings.ts'

/** A page of which people said, at a commit, that it is still true. */
export interface StillTrue {
  commit: string
  path: string
}

/**
 * Reports without what people have settled. Such a page comes back with a commit that changes a name that it has, or brings
 * a new one; what only stands beside such names, or changed together with the page before, says nothing new of it.
 */
export function withoutSettled(
  reports: readonly CommitReport[],
  settled: readonly StillTrue[],
): CommitReport[] {
  if (settled.length === 0) return [...reports]
  const paths = new Set(settled.map(({ path }) => path))
  const pairs = new Set(settled.map(({ commit, path }) => `${commit} ${path}`))
  return reports.map(({ to, report }) => ({
    to,
    report: {
      ...report,
      pages: report.pages.filter(
        (page) => !pairs.has(`${to} ${page.path}`) && (!paths.has(page.path) || saysOfNames(page, report)),
      ),
    },
  }))
}

function saysOfNames({ findings }: ImpactPage, { undocumented }: ImpactReport): boolean {
  return undocumented.length > 0 || findings.some(({ places }) => places.length > 0)
}
