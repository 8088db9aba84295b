import { expect, it } from 'vitest'
import { chooseLanguage, languages } from './texts.ts'

it('says everything in a dozen languages, with the same gaps to fill', () => {
  const gaps = (text = ''): string[] => text.match(/\{\w+\}/g) ?? []
  expect(Object.keys(languages)).toHaveLength(12)
  for (const [name, texts] of Object.entries(languages))
    for (const [key, english] of Object.entries(languages['en'] ?? {})) {
      const text = Object.entries(texts).find(([one]) => one === key)?.[1]
      expect([name, key, text]).not.toEqual([name, key, ''])
      expect([name, key, gaps(text)]).toEqual([name, key, gaps(english)])
    }
})

it('takes the first language that it knows', () => {
  expect(chooseLanguage([undefined, 'tlh', 'pt-BR', 'de']).name).toBe('pt')
  expect(chooseLanguage(['ar-EG'])).toMatchObject({ name: 'ar', direction: 'rtl' })
  expect(chooseLanguage(['constructor', '']).name).toBe('en')
})
