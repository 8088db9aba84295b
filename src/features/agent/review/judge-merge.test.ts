import { expect, it } from 'vitest'
import { judgeMerge, type JudgedRequest } from './judge-merge.ts'

const request: JudgedRequest = {
  state: 'open',
  draft: false,
  base: 'main',
  conflicts: [],
  obstacle: undefined,
  behind: 0,
}
const job = { status: 'completed' as const, checks: [], kept: undefined, question: undefined }
const problem = { check: 'link', severity: 'error' as const, path: 'a.md', line: 1, message: 'x', hint: null }

it('finds nothing against a reviewed change without conflicts', () => {
  expect(judgeMerge(request, job, [{ state: 'changed' }, { state: 'resolved' }])).toEqual({
    verdict: 'ready',
    reasons: [],
  })
  const moved = judgeMerge({ ...request, behind: 2 }, job, [])
  expect(moved).toMatchObject({ verdict: 'ready', reasons: [{ code: 'base_moved', weight: 'note' }] })
})

it('names warnings beside what is ready', () => {
  const warning = { ...problem, check: 'redirect', severity: 'warning' as const }
  expect(judgeMerge(request, { ...job, checks: [warning] }, [])).toMatchObject({
    verdict: 'ready',
    reasons: [{ code: 'warnings', weight: 'note', message: 'The checks have a warning.' }],
  })
})

it('says once what a pull request was published without', () => {
  const left = { ...problem, check: 'policy' }
  const judged = judgeMerge(
    { ...request, draft: true },
    { ...job, checks: [left, left], kept: { turn: 1 } },
    [],
  )
  expect(judged.reasons.map(({ message }) => message)).toEqual([
    'It was published without a.md: the job keeps that.',
    'It is a draft because of that.',
  ])
})

it('does not call ready what is described as more than it is', () => {
  const claim = {
    ...problem,
    check: 'claim',
    severity: 'warning' as const,
    path: '',
    message: 'Updated all links.',
  }
  expect(judgeMerge(request, { ...job, checks: [claim] }, [])).toMatchObject({
    verdict: 'not_yet',
    reasons: [{ code: 'claims', weight: 'doubt' }],
  })
})

it('tells what keeps it from being merged from what speaks against it', () => {
  const judged = judgeMerge(
    { ...request, conflicts: ['a.md', 'b.md'], draft: true },
    { ...job, status: 'active', checks: [problem], kept: { turn: 1 } },
    [{ state: 'draft' }, { state: 'unchanged' }, { state: 'failed' }, { state: 'waiting' }],
  )
  expect(judged.verdict).toBe('blocked')
  expect(judged.reasons.map(({ code }) => code)).toEqual([
    'conflicts',
    'at_work',
    'problems',
    'draft',
    'not_published',
    'comments_not_sent',
    'comments_open',
  ])
  expect(judged.reasons[0]?.message).toBe('It conflicts with main: both changed a.md, b.md.')
  expect(judged.reasons.at(-1)?.message).toContain('2 comments are not resolved')
  expect(judgeMerge({ ...request, draft: true }, undefined, []).verdict).toBe('not_yet')
  expect(judgeMerge({ ...request, state: 'merged', conflicts: ['a.md'] }, job, []).verdict).toBe('merged')
})
