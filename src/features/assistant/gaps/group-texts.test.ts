import { expect, it } from 'vitest'
import { groupTexts } from './group-texts.ts'

const grouped = (questions: string[], known: string[][] = []): string[][] => {
  const { topics } = groupTexts(known, questions, 'docwright')
  return [...Map.groupBy(questions.keys(), (index) => topics[index])].map(([, indexes]) =>
    indexes.map((index) => questions[index] ?? ''),
  )
}

const topics = [
  [
    'How do I connect Redis?',
    'Is there a Redis cache?',
    'Can I use Redis for the queue?',
    'Wie verbinde ich Redis?',
  ],
  ['Is there a Slack bot?', 'Slack integration', 'How do I export answers to Slack?'],
  ['Can I use dark mode in the dashboard?', 'dark mode', 'Is there a dark theme?'],
  ['如何配置单点登录', '单点登录支持吗'],
  ['怎么部署到阿里云'],
  ['Does it work on Windows?', 'Windows service installation'],
]

it('puts questions about the same together, whatever stands between the words', () => {
  expect(grouped(topics.flat())).toEqual(topics)
})

it('puts questions together whose words are spelled otherwise', () => {
  const spellings = [
    ['How do I receive webhooks?', 'web hooks for invoices', 'web-hook signature'],
    ['Does it run on Kubernetes?', 'kubernets helm', 'Kubernetes operator'],
    ['Can I organise invoices by colour?', 'Which color do organized pages have?'],
  ]
  expect(grouped(spellings.flat()).slice(0, 2)).toEqual(spellings.slice(0, 2))
  expect(grouped(['organise my pages', 'organize all pages'])).toHaveLength(1)
  expect(grouped(['which colour has it', 'some color there'])).toHaveLength(1)
  expect(grouped(['where is my store', 'what is my score'])).toHaveLength(2)
  expect(grouped(['import a book', 'export the zebra'])).toHaveLength(2)
})

it('does so in any order', () => {
  const unordered = (groups: string[][]) => new Set(groups.map((group) => new Set(group)))
  expect(unordered(grouped(topics.flat().toReversed()))).toEqual(unordered(topics))
})

it('says the same of the same', () => {
  expect(groupTexts([], topics.flat(), 'docwright')).toEqual(groupTexts([], topics.flat(), 'docwright'))
})

it('adds questions to the topics that are known, and never joins these', () => {
  const known = [['How do I connect Redis?'], ['Is there a Redis cache?'], ['Slack integration']]
  const { topics: of } = groupTexts(
    known,
    ['Slack notifications', 'Redis cache size', 'Can I pay by card?'],
    '',
  )
  expect(of).toEqual([2, 1, 3])
})

it('leaves out what says nothing of its subject', () => {
  expect(groupTexts([], ['why?', '', 'how do I do that?', '???'], '').topics).toEqual([-1, -1, -1, -1])
})

it('names a topic by the words that its questions share, and a single question by itself', () => {
  const { names } = groupTexts([], topics.flat(), 'docwright')
  expect([...names.values()]).toEqual([
    'Redis',
    'Slack',
    'dark, mode',
    '单点登录支持吗',
    '怎么部署到阿里云',
    'Windows',
  ])
  const { names: long } = groupTexts([], [`Redis ${'x'.repeat(500)}`], '')
  expect(long.get(0)).toHaveLength(80)
})

it('joins what shares a word that all of a few texts hold, unless that is the name of what is documented', () => {
  const questions = ['Redis cache', 'redis sentinel', 'Does it support Redis?']
  expect(groupTexts([], questions, 'docwright').topics).toEqual([0, 0, 0])
  expect(groupTexts([], questions, 'redis').topics).toEqual([0, 1, 2])
})
