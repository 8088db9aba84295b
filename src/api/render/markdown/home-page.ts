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
  const isBare = page.slice(bodyStart).trim() === ''
  const hero = isRecord(data['hero']) ? data['hero'] : {}
  // The layout shows a title and a description, which are the name and the tagline where there are no others.
  const words = [
    ...(data['title'] === undefined ? [] : [wordsOf(hero['name'])]),
    firstOf(hero, ['text', 'title', 'heading']),
    ...(data['description'] === undefined ? [] : [firstOf(hero, ['tagline', 'subtitle', 'description'])]),
    ...(isBare ? ['subtitle', 'tagline', 'lead'].map((name) => wordsOf(data[name])) : []),
  ]
  const actions = recordsIn(hero['actions']).map(
    ({ text, link }) => `<a href="${wordsOf(link)}">${wordsOf(text)}</a>`,
  )
  // A landing page of a layout of the site's own has nothing but its front matter.
  const others = isBare ? Object.entries(data).filter(([name]) => !settings.has(name)) : []
  const cards = [
    ...recordsIn(data['features']),
    ...others.flatMap(([, value]) => (isRecord(value) ? [value] : recordsIn(value))),
  ]
    .slice(0, mostOfEach)
    .map(cardOf)
    .filter((card) => card !== '')
  const parts = [
    ...words.filter((text) => text !== '').map((text) => `<p><strong>${text}</strong></p>`),
    ...(actions.length === 0 ? [] : [`<p>${actions.join(' ')}</p>`]),
    ...(cards.length === 0 ? [] : [`<CardGroup>\n\n${cards.join('\n\n')}\n\n</CardGroup>`]),
  ]
  return [...parts, page.slice(bodyStart)].join('\n\n')
}

/** Front matter that is shown already, or that is about the page and not in it. */
const settings = new Set(
  'hero features head meta seo sidebar menu params cascade build outputs prev next search banner robots sitemap'.split(
    ' ',
  ),
)

function cardOf(record: Record<string, unknown>): string {
  const title = firstOf(record, ['title', 'heading', 'name', 'label'])
  const text = firstOf(record, ['details', 'description', 'text', 'content', 'subtitle', 'tagline'])
  if (title === '' && text === '') return ''
  const href = firstOf(record, ['link', 'href', 'url', 'to'])
  return `<Card title="${title}" href="${href}">\n\n${text}\n\n</Card>`
}

function firstOf(record: Record<string, unknown>, names: readonly string[]): string {
  return names.map((name) => wordsOf(record[name])).find((text) => text !== '') ?? ''
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
