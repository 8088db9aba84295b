import { expect, it } from 'vitest'
import { suggestQuestions } from './suggest-questions.ts'

const hit = (title: string, heading?: string, more: { language?: string; score?: number } = {}) => ({
  path: '',
  url: '',
  title,
  heading,
  content: '',
  score: 1,
  ...more,
})
const suggested = (...hits: ReturnType<typeof hit>[]) => suggestQuestions(hits, 1, '')

it.each([
  ['Install on Linux', 'How do I install on Linux?'],
  ['Before you begin – Configuring webhooks', 'How do I configure webhooks?'],
  ['Setting up a proxy', 'How do I set up a proxy?'],
  ['Running the server', 'How do I run the server?'],
  ['Create your first key', 'How do I create my first key?'],
  ['4. Verify the signature', 'How do I verify the signature?'],
  ['Getting help', 'How do I get help?'],
  ['How to befriend keys', 'How do I befriend keys?'],
  ['How to move pages', 'How do I move pages?'],
  ['When the database is away', 'What happens when the database is away?'],
  ['Getting started', 'How do I get started?'],
  ['Quickstart', 'How do I get started?'],
  ['Why 404?', 'Why 404?'],
  ['什么是令牌？', '什么是令牌？'],
])('asks of the heading %s: %s', (heading, question) => {
  expect(suggested(hit('A page', heading))).toEqual([question])
})

it.each([
  'Limits',
  'Overview',
  'Build status',
  'Testing library',
  'Use cases',
  'Latest or locked dependencies?',
  'Install script',
  'Render optimization (compared)',
  'Compiling and running at once',
  'Build and deploy',
  'When do you need jobs',
  'Install <package>',
  'Run it every night',
  'Why do I need this?',
  'How threads end',
  'Install',
])('asks nothing of the heading %s', (heading) => {
  expect(suggested(hit('A page', heading))).toEqual([])
})

it('puts no English around headings in other languages', () => {
  expect(
    suggested(hit('配置', '在 Linux 上安装'), hit('x', 'Configure o servidor', { language: 'pt' })),
  ).toEqual([])
})

it('asks of a page, where no heading is a question', () => {
  expect(suggested(hit('Working with Docker', 'Notes'), hit('A', 'Create a key'))).toEqual([
    'How do I create a key?',
    'How do I work with Docker?',
  ])
})

it('prefers the questions that are written down for a section', () => {
  const written = { ...hit('Limits'), questions: ['How much may I send?', 'How often?'] }
  expect(suggested(hit('A', 'Install on Linux'), written)).toEqual([
    'How much may I send?',
    'How do I install on Linux?',
  ])
})

it('asks of sections alone that come near the best one, three questions at most', () => {
  expect(suggested(hit('A', 'Install on Linux', { score: 0.4 }))).toEqual([])
  const many = ['Create a key', 'Delete a key', 'Rename a key', 'Enable a key']
  expect(suggested(...many.map((heading) => hit('A', heading)))).toHaveLength(3)
})

it('does not ask what was asked', () => {
  const hits = [hit('Setup', 'Install on Linux')]
  expect(suggestQuestions(hits, 1, 'How do I install it on Linux, setup?')).toEqual([])
})
