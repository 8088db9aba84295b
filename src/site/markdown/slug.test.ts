import { expect, it } from 'vitest'
import { createSlugger, type SlugStyle } from './slug.ts'

const ids = (style: SlugStyle, ...headings: string[]) => {
  const slugger = createSlugger(style)
  return headings.map((heading) => slugger.next(heading))
}

it.each<[SlugStyle, string[], string[]]>([
  ['github', ['Foo', 'Foo', 'Foo 1', 'Foo'], ['foo', 'foo-1', 'foo-1-1', 'foo-2']],
  ['github', ['--save, -P', 'Émile’s 日本語 😀', 'a_b  c'], ['--save--p', 'émiles-日本語-', 'a_b--c']],
  ['astro', ['<Image /> ', 'Foo'], ['image-', 'foo']],
  ['vitepress', ['API & Co.', '2. Étape', 'API, Co'], ['api-co', '_2-etape', 'api-co-1']],
  [
    'mintlify',
    ['Read/write', 'Fees & billing', 'Rate (per minute)', 'OAuth', 'OAuth', 'Step 1: run it'],
    ['read/write', 'fees-&-billing', 'rate-per-minute', 'oauth', 'oauth-2', 'step-1-run-it'],
  ],
  ['python', ['Foo - Bar', 'Foo Bar', '日本', '日本語'], ['foo-bar', 'foo-bar_1', '_1', '_2']],
  ['python-unicode', ['日本 語', 'Größe'], ['日本-語', 'größe']],
])('makes unique ids in the %s style', (style, headings, expected) => {
  expect(ids(style, ...headings)).toEqual(expected)
})
