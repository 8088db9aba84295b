import { expect, it } from 'vitest'
import { withoutTranslations } from './without-translations.ts'

const hit = (url: string, language?: string) => ({
  path: url,
  url,
  title: '',
  content: '',
  score: 1,
  language,
})

it('keeps of a page and its translations what comes first, with all of its sections', () => {
  const hits = [
    hit('/features/crawl', 'en'),
    hit('/fr/features/crawl', 'fr'),
    hit('/features/crawl', 'en'),
    hit('/pt-BR/features/map', 'pt-BR'),
    hit('/features/map', 'en'),
    hit('/fr/only', 'fr'),
    hit('/changelog'),
  ]
  expect(withoutTranslations(hits).map(({ url }) => url)).toEqual([
    '/features/crawl',
    '/features/crawl',
    '/pt-BR/features/map',
    '/fr/only',
    '/changelog',
  ])
})
