import { isRecord } from '../../../lib/is-record.ts'
import { decodeEntities } from '../../../site/markdown/entities.ts'
import { readFrontMatter } from '../../../site/markdown/front-matter.ts'
import { escapeAttribute } from './component-kinds.ts'

const mostOfEach = 50

/**
 * The text of a page behind its front matter, below what that shows on a home page: the words and actions of its
 * `hero` (VitePress, Starlight) and its `features` (VitePress).
 */
export function withHome(page: string): string {
  const { data, bodyStart } = readFrontMatter(page)
  const hero = isRecord(data['hero']) ? data['hero'] : {}
  // The layout shows a title and a description, which are the name and the tagline where there are no others.
  const words = [
    ...(data['title'] === undefined ? [] : [wordsOf(hero['name'])]),
    wordsOf(hero['text']),
    ...(data['description'] === undefined ? [] : [wordsOf(hero['tagline'])]),
  ]
  const actions = recordsIn(hero['actions']).map(
    ({ text, link }) => `<a href="${wordsOf(link)}">${wordsOf(text)}</a>`,
  )
  const cards = recordsIn(data['features']).map(
    ({ title, details, link }) =>
      `<Card title="${wordsOf(title)}" href="${wordsOf(link)}">\n\n${wordsOf(details)}\n\n</Card>`,
  )
  const parts = [
    ...words.filter((text) => text !== '').map((text) => `<p><strong>${text}</strong></p>`),
    ...(actions.length === 0 ? [] : [`<p>${actions.join(' ')}</p>`]),
    ...(cards.length === 0 ? [] : [`<CardGroup>\n\n${cards.join('\n\n')}\n\n</CardGroup>`]),
  ]
  return [...parts, page.slice(bodyStart)].join('\n\n')
}

function recordsIn(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord).slice(0, mostOfEach) : []
}

/** Home pages may hold HTML. */
function plainText(html: string): string {
  return decodeEntities(html.replaceAll(/<[^<>]{1,500}>/g, ' '))
}

/** One line that means the same in HTML and in JSX. */
function wordsOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number'
    ? escapeAttribute(plainText(String(value)).replaceAll(/\s+/g, ' ').trim())
    : ''
}
