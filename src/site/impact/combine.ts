import { impactLevels, type ImpactPage, type ImpactReport, type NamedChange } from './report.ts'

export interface CommitReport {
  /** The commit after the change. */
  to: string
  report: ImpactReport
}

/** A page, and the commit that says most of it. */
export interface RangePage extends ImpactPage {
  commit: string
}

export interface RangeReport {
  pages: RangePage[]
  names: NamedChange[]
  undocumented: NamedChange[]
  isPartial: boolean
}

const mostPages = 60
const mostNames = 100

/** Several commits, by what says most of each page. @param struck pages that one of them edits */
export function combine(reports: readonly CommitReport[], struck: ReadonlySet<string>): RangeReport {
  const pages = new Map<string, RangePage>()
  for (const { to, report } of reports)
    for (const page of report.pages) {
      if (struck.has(page.path)) continue
      const known = pages.get(page.path)
      if (known === undefined || order(page, known) < 0) pages.set(page.path, { ...page, commit: to })
    }
  return {
    pages: [...pages.values()].toSorted(order).slice(0, mostPages),
    names: named(reports.flatMap(({ report }) => report.names)),
    undocumented: named(reports.flatMap(({ report }) => report.undocumented)),
    isPartial: reports.some(({ report }) => report.isPartial),
  }
}

function order(one: ImpactPage, other: ImpactPage): number {
  return impactLevels.indexOf(one.level) - impactLevels.indexOf(other.level) || other.score - one.score
}

function named(names: readonly NamedChange[]): NamedChange[] {
  const byName = new Map<string, NamedChange>()
  for (const one of names) if (byName.get(one.name)?.isGone !== true) byName.set(one.name, one)
  return [...byName.values()].slice(0, mostNames)
}
