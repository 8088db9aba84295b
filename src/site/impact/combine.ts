import {
  impactLevels,
  type ImpactLevel,
  type ImpactPage,
  type ImpactReport,
  type NamedChange,
} from './findings.ts'

export interface CommitReport {
  /** The commit after the change. */
  to: string
  report: ImpactReport
}

/** A page, and the commit that says most of it. */
export interface RangePage extends ImpactPage {
  commit: string
}

/** A page that the change edits itself, and where it would stand among the others, from 1. */
export interface EditedPage {
  path: string
  rank: number | undefined
  level: ImpactLevel | undefined
}

export interface RangeReport {
  pages: RangePage[]
  /** Struck off from the others. */
  edited: EditedPage[]
  names: NamedChange[]
  undocumented: NamedChange[]
  isPartial: boolean
}

const mostPages = 60
const mostNames = 100

/** Several commits, by what says most of each page. @param edited pages that one of them edits */
export function combine(reports: readonly CommitReport[], edited: ReadonlySet<string>): RangeReport {
  const pages = new Map<string, RangePage>()
  for (const { to, report } of reports)
    for (const page of report.pages) {
      const known = pages.get(page.path)
      if (known === undefined || order(page, known) < 0) pages.set(page.path, { ...page, commit: to })
    }
  const all = [...pages.values()].toSorted((one, other) => other.score - one.score)
  const ranks = new Map(all.map(({ path }, at) => [path, at + 1]))
  return {
    pages: all
      .filter(({ path }) => !edited.has(path))
      .toSorted(order)
      .slice(0, mostPages),
    edited: Array.from(edited, (path) => ({ path, rank: ranks.get(path), level: pages.get(path)?.level })),
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
