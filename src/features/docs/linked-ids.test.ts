import { expect, it } from 'vitest'
import { createSite } from '../../site/frameworks/create-site.ts'
import { learnedWith, linkedIds, withLearned } from './linked-ids.ts'

const releases = Array.from({ length: 12 }, (_, at) => `15.${at}.0`)
const files = new Map([
  ['docusaurus.config.js', 'export default { presets: [["classic", {}]] }'],
  ['docs/changelog.md', releases.map((name) => `## ${name}\n`).join('\n')],
  [
    'docs/intro.md',
    releases.map((name) => `[${name}](changelog.md#${name.replaceAll('.', '-')})`).join('\n'),
  ],
])
const read = (path: string) => Promise.resolve(files.get(path))

it('keeps with the fingerprint what links show of ids, so that later syncs need not read all pages', async () => {
  const site = await createSite(read, { paths: files.keys(), root: '' })
  const scanned: string[] = []
  const ids = await linkedIds(site, read, (path) => scanned.push(path))
  expect([...ids.pages]).toEqual([['docs/changelog.md', 'blackfriday']])
  expect(new Set(scanned)).toEqual(new Set(['docs/changelog.md']))
  const fingerprint = withLearned('abc', ids)
  expect(learnedWith(fingerprint, 'abc')).toEqual(ids)
  expect(learnedWith(fingerprint, 'other')).toBeUndefined()
  expect(learnedWith('abc', 'abc')).toEqual({ pages: new Map() })
})
