import { expect, it } from 'vitest'
import { combine, type CommitReport } from './combine.ts'
import type { ImpactPage } from './findings.ts'
import { withoutSettled } from './still-true.ts'

function page(path: string, score: number, ...names: string[]): ImpactPage {
  const places = names.map((name) => ({ name, line: 3, kind: 'span' as const, text: name }))
  const findings = [{ heading: 'Limits', lines: [1, 4] as [number, number], places, isCertain: false }]
  return { path, level: 'likely', score, why: [], findings, isGenerated: false, together: 0 }
}
function commit(to: string, pages: ImpactPage[], added: string[] = []): CommitReport {
  const undocumented = added.map((name) => ({ name, fate: 'new' as const, isGone: false, words: 'is new' }))
  return { to, report: { pages, names: [], undocumented, isPartial: false } }
}
const shown = (reports: CommitReport[], ...settled: { commit: string; path: string }[]): string[] =>
  combine(withoutSettled(reports, settled), new Set()).pages.map(({ path, commit: to }) => `${path} ${to}`)

const guide = { commit: 'b', path: 'guide.md' }

it('leaves a page out at the commit of which people said that it is still true', () => {
  const reports = [commit('b', [page('guide.md', 9, 'maxRetries'), page('other.md', 3, 'maxRetries')])]
  expect(shown(reports)).toEqual(['guide.md b', 'other.md b'])
  expect(shown(reports, guide)).toEqual(['other.md b'])
})

it('finds it again by a commit that changes a name of it, also one that says less of it', () => {
  const reports = [
    commit('c', [page('guide.md', 2, 'timeout')]),
    commit('b', [page('guide.md', 9, 'maxRetries')]),
  ]
  expect(shown(reports)).toEqual(['guide.md b'])
  expect(shown(reports, guide)).toEqual(['guide.md c'])
  expect(shown(reports, guide, { ...guide, commit: 'c' })).toEqual([])
})

it('does not find it again by neighbours and history, before a commit adds a name', () => {
  const beside = [commit('c', [page('guide.md', 20), page('other.md', 1)])]
  expect(shown(beside, guide)).toEqual(['other.md c'])
  expect(shown([commit('d', [page('guide.md', 20)], ['newOption'])], guide)).toEqual(['guide.md d'])
})
