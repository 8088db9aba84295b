import { expect, it } from 'vitest'
import { judge, mean, percentile } from './ranking-quality.ts'

it('judges a ranking as by hand', () => {
  expect(judge(['a', 'b', 'c'], ['a'])).toEqual({ ndcg: 1, recall5: 1, recall10: 1, mrr: 1 })
  // 1/log2(3) of an ideal 1 + 1/log2(3)
  const second = judge(['x', 'a', 'y'], ['a', 'b'])
  expect(second.ndcg).toBeCloseTo(0.6309 / 1.6309, 3)
  expect(second).toMatchObject({ recall5: 0.5, recall10: 0.5, mrr: 0.5 })
  const sixth = judge(['1', '2', '3', '4', '5', 'a'], ['a'])
  expect(sixth.ndcg).toBeCloseTo(0.3562, 3)
  expect(sixth).toMatchObject({ recall5: 0, recall10: 1, mrr: 1 / 6 })
  const eleventh = [...Array.from('0123456789'), 'a']
  expect(judge(eleventh, ['a'])).toEqual({ ndcg: 0, recall5: 0, recall10: 0, mrr: 0 })
  expect(judge([], [])).toEqual({ ndcg: 0, recall5: 0, recall10: 0, mrr: 0 })
})

it('takes means and percentiles', () => {
  expect(mean([1, 2, 6])).toBe(3)
  const values = Array.from({ length: 100 }, (_, n) => 100 - n)
  expect([
    percentile(values, 0.5),
    percentile(values, 0.95),
    percentile([7], 0.95),
    percentile([], 0.5),
  ]).toEqual([51, 96, 7, 0])
})
