import { expect, it } from 'vitest'
import { describeOnBothEngines } from '../../tests/stores.ts'
import { addUsage } from './usage.ts'

describeOnBothEngines('usage by day', (store) => {
  it('adds up calls, and keeps what is known of the cost', async () => {
    await store().transaction(async (tx) => {
      await tx.insertInto('organizations').values({ id: 'org_usage', name: 'Test' }).execute()
      await tx
        .insertInto('projects')
        .values({
          id: 'prj_usage',
          organization_id: 'org_usage',
          domain: 'usage',
          kind: 'path',
          location: '/usage',
          ref: 'main',
          root: '',
        })
        .execute()
    })
    const usage = { inputTokens: 10, cachedInputTokens: 4, outputTokens: 2 }
    const add = (model: string, cost: number | undefined) =>
      store().transaction((tx) => addUsage(tx, 'prj_usage', 'agent', [{ model, usage, cost }]))
    await Promise.all([add('a:b', undefined), add('a:b', 5), add('a:b', 7), add('a:b', undefined)])
    await add('a:free', undefined)
    const together = [3, undefined, 4].map((cost) => ({ model: 'a:twice', usage, cost }))
    await store().transaction((tx) =>
      addUsage(tx, 'prj_usage', 'agent', [...together, { model: 'a:once', usage, cost: 1 }]),
    )
    const rows = await store().db.selectFrom('usage_days').selectAll().orderBy('model').execute()
    expect(rows).toMatchObject([
      { model: 'a:b', calls: 4, input_tokens: 40, cached_input_tokens: 16, output_tokens: 8, cost: 12 },
      { model: 'a:free', calls: 1, cost: null },
      { model: 'a:once', calls: 1, input_tokens: 10, cost: 1 },
      { model: 'a:twice', calls: 3, input_tokens: 30, cached_input_tokens: 12, output_tokens: 6, cost: 7 },
    ])
    expect(rows[0]?.day).toMatch(/^\d{4}-\d{2}-\d{2}$/)
  })
})
