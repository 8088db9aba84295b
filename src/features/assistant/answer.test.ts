import { expect, it } from 'vitest'
import { suggestQuestions } from './answer.ts'

const hit = (title: string, heading?: string, language?: string) => ({
  path: '',
  url: '',
  title,
  heading,
  language,
  content: '',
  score: 1,
})

it('makes up to three questions of headings, then of titles', () => {
  const hits = [
    hit('Setup', 'Before – Install on Linux'),
    hit('Limits', 'Overview'),
    hit('Errors', 'Why 404?'),
  ]
  expect(suggestQuestions(hits, 'How do I begin?')).toEqual([
    'How do I install on Linux?',
    'Why 404?',
    'What should I know about "Setup"?',
  ])
})

it('asks as the heading is worded', () => {
  const hits = [
    hit('A1', 'When the database is away'),
    hit('Step 2: more', 'How threads end'),
    hit('Keys', 'Step 1: go'),
  ]
  expect(suggestQuestions(hits, '')).toEqual([
    'What happens when the database is away?',
    'How threads end?',
    'What should I know about "A1"?',
  ])
})

it('does not ask what was asked', () => {
  expect(suggestQuestions([hit('Limits', 'Retries')], 'limits and retries?')).toEqual([])
  expect(
    suggestQuestions([hit('Setup', 'Install on Linux')], 'How do I install it on Linux, setup?'),
  ).toEqual([])
})

it('puts no English around headings in other languages', () => {
  expect(suggestQuestions([hit('配置', '在 Linux 上安装'), hit('Limites', undefined, 'fr')], '')).toEqual([
    '在 Linux 上安装?',
    '配置?',
    'Limites?',
  ])
})
