import { expect, it } from 'vitest'
import { titleWithout } from './title-without.ts'

it('keeps a title that is about what is published', () => {
  expect(titleWithout('Explain tokens', ['docs/embeds.md'], ['docs/tokens.md'])).toBe('Explain tokens')
  expect(titleWithout('Rename the guide pages', ['docs/guide-b.md'], ['docs/guide-a.md'])).toBe(
    'Rename the guide pages',
  )
  expect(titleWithout(undefined, ['docs/a.md'], [])).toBeUndefined()
})

it('names what is published where the title is about a page that was left out', () => {
  expect(titleWithout('Add a page about embeds', ['docs/embeds.md'], ['docs/tokens.md'])).toBe(
    'Update docs/tokens.md',
  )
  expect(titleWithout('Add the widget, and explain init', ['docs/README.md'], ['docs/init.md'])).toBe(
    'Update docs/init.md',
  )
  expect(
    titleWithout('Add embedding', ['docs/embedding/index.md'], ['docs/tokens.md', 'docs/docs.json']),
  ).toBe('Update docs/tokens.md and 1 more')
})
