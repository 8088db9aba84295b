import { expect, it } from 'vitest'
import { anchorsOf } from '../pages/parse-page.ts'
import { dialects } from '../frameworks/dialects.ts'
import type { SlugStyle } from '../markdown/slug.ts'
import { learnIds, styleOf } from './learn-ids.ts'

const learn = (pages: Record<string, string>, links: readonly [target: string, anchor: string][]) =>
  learnIds(
    links.map(([target, anchor]) => ({ target, anchor })),
    async (path, slugs?: SlugStyle) =>
      anchorsOf({ dialectOf: () => dialects.docusaurus }, path, pages[path] ?? '', slugs),
  )
const releases = Array.from({ length: 12 }, (_, at) => `15.${at}.0`)
const changelog = releases.map((name) => `## ${name}\n\nText.\n`).join('\n')

it('learns that one page has ids with dashes for dots, and leaves the others alone', async () => {
  const ids = await learn({ 'changelog.md': changelog, 'guide.md': "## What's new" }, [
    ...releases.map((name): [string, string] => ['changelog.md', name.replaceAll('.', '-')]),
    ...releases.map((): [string, string] => ['guide.md', 'whats-new']),
    ['changelog.md', '15-99-0'],
  ])
  expect(styleOf(ids, 'changelog.md')).toBe('blackfriday')
  expect(styleOf(ids, 'guide.md')).toBeUndefined()
})

it('takes links of a form that no rule explains for the form of the page', async () => {
  const ids = await learn(
    { 'changelog.md': changelog },
    releases.map((name) => ['changelog.md', `release-of-${name}`]),
  )
  expect(ids.pages.get('changelog.md')).toBe('unknown')
})

it('learns nothing from a few broken links, nor where others to the page work', async () => {
  const few = await learn(
    { 'changelog.md': changelog },
    releases.slice(0, 9).map((name) => ['changelog.md', `release-of-${name}`]),
  )
  const mixed = await learn({ 'changelog.md': changelog }, [
    ...releases.map((name): [string, string] => ['changelog.md', `release-of-${name}`]),
    ...releases.map((name): [string, string] => ['changelog.md', name.replaceAll('.', '')]),
  ])
  expect([...few.pages, ...mixed.pages]).toEqual([])
})

it('learns that a site keeps the case of its headings', async () => {
  const names = ['Open Files', 'Save Files', 'Close Files', 'Send Files']
  const ids = await learn(
    { 'guide.md': names.map((name) => `## ${name}\n`).join('\n') },
    names.map((name) => ['guide.md', name.replace(' ', '-')]),
  )
  expect(ids.all).toBe('github-cased')
})
