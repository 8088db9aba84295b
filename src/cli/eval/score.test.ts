import { expect, it } from 'vitest'
import { holdsFact, overlap, scoreAnswer, scoreRanking, standsIn, type Found } from './score.ts'

const found = (...names: string[]): Found[] =>
  names.map((name) => {
    const [path = '', anchor] = name.split('#')
    return { path, anchor }
  })

it('judges pages by their first section, and sections by their place', () => {
  const ranking = found('a#1', 'b', 'a#2', 'c#1', 'a#3')
  expect(scoreRanking(ranking, [{ path: 'a', anchor: undefined }])).toEqual({
    ndcg: 1,
    recall5: 1,
    recall10: 1,
    mrr: 1,
  })
  expect(scoreRanking(ranking, [{ path: 'c', anchor: '1' }])).toEqual({
    ndcg: 0.5,
    recall5: 1,
    recall10: 1,
    mrr: 1 / 3,
    section3: 0,
    pageSection3: 1,
  })
  expect(scoreRanking(ranking, [{ path: 'a', anchor: '3' }])).toMatchObject({ section3: 0, pageSection3: 1 })
  expect(scoreRanking(ranking, [{ path: 'b', anchor: '' }])).toMatchObject({ section3: 1, pageSection3: 1 })
  expect(scoreRanking(ranking, [{ path: 'b', anchor: 'x' }])).toMatchObject({ section3: 0, pageSection3: 0 })
  // A page that was not found has no sections to judge.
  expect(scoreRanking(ranking, [{ path: 'd', anchor: 'x' }])).toEqual({
    ndcg: 0,
    recall5: 0,
    recall10: 0,
    mrr: 0,
    section3: 0,
  })
  expect(scoreRanking(ranking, [])).toEqual({})
})

const cited = {
  path: 'a',
  anchor: 'x',
  words: ['Run it twice.', 'Bananas are yellow and sweet.'],
  section: 'Run\n\nRun **it** twice. Then stop.',
}
const answerable = { unanswerable: false, facts: [['run it'], ['stop now', 'halt']] }

it('judges an answer by its outcome, its citations and its facts', () => {
  const expected = [{ path: 'a', anchor: 'y' }]
  expect(
    scoreAnswer({ text: 'Run it.', outcome: 'answered', citations: [cited] }, answerable, expected),
  ).toEqual({
    refusalAccuracy: 1,
    answered: 1,
    facts: 0.5,
    cited: 1,
    citedPage: 1,
    citedSection: 0,
    quotes: 0.5,
    verbatim: 0.5,
  })
  const refusal = { text: 'No.', outcome: 'unanswered', citations: [cited] }
  expect(scoreAnswer(refusal, answerable, expected)).toEqual({ refusalAccuracy: 0, answered: 0, facts: 0 })
  expect(scoreAnswer(refusal, { unanswerable: true, facts: [] }, [])).toEqual({
    refusalAccuracy: 1,
    refused: 1,
  })
  const made = { text: 'Yes.', outcome: 'uncited', citations: [cited] }
  expect(scoreAnswer(made, { unanswerable: true, facts: [] }, [])).toEqual({ refusalAccuracy: 0, refused: 0 })
  expect(scoreAnswer(made, { unanswerable: false, facts: [] }, expected)).toEqual({
    refusalAccuracy: 1,
    answered: 1,
    cited: 0,
    citedPage: 0,
    citedSection: 0,
  })
})

it('finds the words of a fact in any form and order, in languages without spaces too', () => {
  expect(holdsFact('It listens on port 4000.', ['port 4000'])).toBe(true)
  expect(holdsFact('Ports: 4000 and 4001', ['port 4000'])).toBe(true)
  expect(holdsFact('It listens on port 40001.', ['port 4000'])).toBe(false)
  expect(holdsFact('It is off.', ['is on', 'is off'])).toBe(true)
  expect(holdsFact('服务器在端口上监听。', ['端口'])).toBe(true)
  expect(holdsFact('服务器在监听。', ['端口'])).toBe(false)
})

it('compares what a citation stands for with the section, apart from markup', () => {
  const section = '1. Open [the page](https://example.com/a_b).\n2. Press `Save`.\n\n- Done'
  expect(standsIn('Open the page. Press Save.', section)).toBe(true)
  expect(standsIn('Press Save. Open the page.', section)).toBe(false)
  const table = 'Code | Meaning\n`0` | Done\n`1` | Failed\n`2` | Wrong usage'
  expect(standsIn('Code Meaning\n2 Wrong usage', table)).toBe(true)
  expect(standsIn('Code Meaning\n2 Failed', table)).toBe(false)
  expect(overlap('Pressing saves pages', section)).toBe(1)
  expect(overlap('example', section)).toBe(0)
  expect(overlap('Press Cancel', section)).toBe(0.5)
  expect(overlap('…', section)).toBe(1)
})
