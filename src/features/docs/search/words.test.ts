import { expect, test } from 'vitest'
import { scanWords, termsOf } from './words.ts'

function wordsOf(text: string): string[] {
  const words: string[] = []
  scanWords(text, (word) => words.push(word))
  return words
}

test('words keep the joiners of identifiers and lose punctuation', () => {
  expect(wordsOf('Use `optimizeDeps.include`, std::vector (C++) and pre-bundling.')).toEqual([
    'Use',
    'optimizeDeps.include',
    'std::vector',
    'C++',
    'and',
    'pre-bundling',
  ])
  expect(wordsOf('--force ... -- /guides/install?')).toEqual(['force', 'guides/install'])
})

test('scripts change where words end', () => {
  expect(wordsOf('使用Astro组件')).toEqual(['使用', 'Astro', '组件'])
  expect(wordsOf('Привет, мир 👋 123')).toEqual(['Привет', 'мир', '123'])
})

test('an identifier stands for itself and for its parts', () => {
  expect(termsOf('optimizeDeps.include')).toEqual({
    exact: ['optimizedeps.include', 'optimizedeps', 'optimize', 'deps', 'include'],
    stems: ['~optim', '~dep', '~includ'],
  })
  expect(termsOf('HTMLElement').exact).toEqual(['htmlelement', 'html', 'element'])
  expect(termsOf('C++').exact).toEqual(['c++', 'c'])
})

test('plain words have a stem, numbers and names with digits have not', () => {
  expect(termsOf('Installing')).toEqual({ exact: ['installing'], stems: ['~instal'] })
  expect(termsOf('vue3')).toEqual({ exact: ['vue3'], stems: [] })
})

test('a text without spaces becomes pairs, a lone character itself', () => {
  expect(termsOf('如何使用').exact).toEqual(['如何', '何使', '使用'])
  expect(termsOf('安').exact).toEqual(['安'])
})

test('unusual text is accepted: lone surrogates, long blobs, only joining characters', () => {
  expect(wordsOf('\ud800 ok \udc00')).toEqual(['ok'])
  expect(termsOf('a'.repeat(100_000))).toEqual({ exact: [], stems: [] })
  expect(wordsOf('-'.repeat(100_000))).toEqual([])
})
