import { expect, it } from 'vitest'
import type { PageEntry } from './navigation-groups.ts'
import type { PageList } from './page-list.ts'
import { switches } from './switches.ts'

function page(url: string, language?: string, version?: string): PageEntry {
  return {
    path: `${url}.md`,
    url,
    title: url,
    description: undefined,
    label: url,
    language,
    version,
    groups: [],
    isOutside: false,
  }
}

async function shown(pages: PageEntry[], url: string): Promise<string[]> {
  const list = { inOrder: pages } as unknown as PageList
  const current = pages.find((one) => one.url === url)
  if (!current) throw new Error('No such page')
  const text = (await switches('docs', list, current)).toString()
  return [...text.matchAll(/href="([^"]*)"[^>]*>([^<]*)</g)].map(([, href, label]) => `${label} ${href}`)
}

it('lead to the same page of another language, or to where that begins', async () => {
  const pages = [
    page('/', 'en'),
    page('/guide/start', 'en'),
    page('/guide/deploy', 'en'),
    page('/de/', 'de'),
    page('/de/guide/start', 'de'),
  ]
  expect(await shown(pages, '/guide/start')).toEqual([
    'English /docs/docs/guide/start',
    'Deutsch /docs/docs/de/guide/start',
  ])
  expect(await shown(pages, '/guide/deploy')).toEqual([
    'English /docs/docs/guide/deploy',
    'Deutsch /docs/docs/de/',
  ])
})

it('keep the language where a version is chosen, and are not there where there is no choice', async () => {
  const pages = [
    page('/a', 'en', '2.0'),
    page('/1.0/a', 'en', '1.0'),
    page('/de/a', 'de', '2.0'),
    page('/de/1.0/b', 'de', '1.0'),
  ]
  expect((await shown(pages, '/de/a')).slice(2)).toEqual(['2.0 /docs/docs/de/a', '1.0 /docs/docs/de/1.0/b'])
  expect(await shown([page('/a', 'en'), page('/b', 'en')], '/a')).toEqual([])
})
