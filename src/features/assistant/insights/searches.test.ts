import { beforeAll, expect, it } from 'vitest'
import { insertProject, setRetention } from '../../../../tests/assistant-server.ts'
import { describeOnBothEngines } from '../../../../tests/stores.ts'
import { createSearchLog, type RecordedSearch } from './searches.ts'

const search: RecordedSearch = {
  projectId: 'prj_docs',
  query: 'install',
  results: 3,
  confidence: 0.5,
  caller: 'web',
  fp: undefined,
  milliseconds: 2,
}

describeOnBothEngines('searches of readers', (store) => {
  beforeAll(() => insertProject(store()))

  const recorded = () =>
    store().db.selectFrom('searches').select(['project_id', 'query', 'results', 'fp']).orderBy('id').execute()

  it('are written together, cut to a bearable length, and without those of projects that are gone', async () => {
    let transactions = 0
    const counting = {
      transaction: (<T>(work: Parameters<ReturnType<typeof store>['transaction']>[0]) => {
        transactions++
        return store().transaction(work) as Promise<T>
      }) as ReturnType<typeof store>['transaction'],
    }
    const lost: number[] = []
    const log = createSearchLog(counting, (count) => lost.push(count))
    log.record(search)
    log.record({ ...search, projectId: 'prj_gone' })
    log.record({ ...search, query: `${'x'.repeat(499)}😀`, results: 0, fp: 'ann' })
    await log.flush()
    await log.flush()
    expect([transactions, lost]).toEqual([1, []])
    expect(await recorded()).toEqual([
      { project_id: 'prj_docs', query: 'install', results: 3, fp: null },
      { project_id: 'prj_docs', query: `${'x'.repeat(499)}\u{FFFD}`, results: 0, fp: 'ann' },
    ])
  })

  it('are recorded without their words where the project keeps no texts', async () => {
    await setRetention(store(), 'prj_other', 0)
    const log = createSearchLog(store(), () => undefined)
    log.record({ ...search, projectId: 'prj_other' })
    await log.flush()
    expect((await recorded()).at(-1)).toMatchObject({ project_id: 'prj_other', query: '', results: 3 })
  })
})

it('are lost with one report while the database is away, and never fill the memory', async () => {
  const lost: number[] = []
  const away = { transaction: () => Promise.reject(new Error('away')) }
  const log = createSearchLog(away, (count) => lost.push(count))
  for (let count = 0; count < 6000; count++) log.record(search)
  await log.flush()
  expect(lost).toEqual([6000])
})
