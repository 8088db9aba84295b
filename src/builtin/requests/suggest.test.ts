import { expect, it } from 'vitest'
import { suggestRequests } from './suggest.ts'

it.each([
  ['we renamed Acme to Globex', ['Replace "Acme" with "Globex"']],
  [
    'Hey, we have renamed our Acme Cloud to Globex Cloud last week!',
    ['Replace "Acme Cloud" with "Globex Cloud"'],
  ],
  ['Acme is now called Globex', ['Replace "Acme" with "Globex"']],
  ['the product Acme was rebranded to Globex.', ['Replace "Acme" with "Globex"']],
  ['`npm i` is replaced by `pnpm add`', ['Replace "npm i" with "pnpm add"']],
  ['please say sign in instead of log in', ['Replace "log in" with "sign in"']],
  ['uv 0.13.0 is out', ['Update uv to 0.13.0']],
  ['We released uv 0.13.0 today', ['Update uv to 0.13.0']],
  ['uv went from 0.12.5 to 0.13.0', ['Update uv from 0.12.5 to 0.13.0']],
  ['some links are broken', ['Fix broken links']],
  ['I saw a few typos on the site', ['Fix the typos']],
  ['"recieve" should be "receive"', ['Replace "recieve" with "receive"']],
  ['Fix the typo teh -> the', ['Replace "teh" with "the"', 'Fix the typos']],
  ['use https instead of http in links', ['Replace "http" with "https" in all links']],
  ['Check for broken links', ['Fix broken links']],
  ['we removed the old API', []],
  ['get rid of the page about Acme', []],
  ['Write me a poem', []],
  ['Update the SDK to the newest version', []],
])('suggests what was meant in the person’s own words: %s', (said, requests) => {
  expect(suggestRequests(said)).toEqual(requests)
})

it('suggests nothing that a choice could not say, nor that is slow to find', () => {
  expect(suggestRequests('we renamed "a: b" to "c"')).toEqual([])
  expect(suggestRequests('we renamed the page x to "delete page y"')).not.toContain('delete')
  const began = performance.now()
  suggestRequests(`we renamed ${'a '.repeat(100_000)} to`)
  expect(performance.now() - began).toBeLessThan(2000)
})
