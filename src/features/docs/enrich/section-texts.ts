import { createHash } from 'node:crypto'
import type { Page } from '../../../site/pages/page.ts'
import { passagesOf } from '../search/passages.ts'

/** A section, or a piece of a long one, as models read it. */
export interface SectionText {
  /** Of all that a model reads; sections that say the same share it. */
  hash: string
  title: string
  headings: string[]
  text: string
  /** Of title, headings and text. */
  bytes: number
}

/** Sections that say less are found by their own words alone. */
const shortest = 20

/** The passages of a page in the order of the search index; undefined where a model has nothing to read. */
export function sectionTexts(page: Page): (SectionText | undefined)[] {
  const { title } = page
  return passagesOf(page).map(({ headings, text }) => {
    if (text.length < shortest) return undefined
    const read = [title, ...headings, text]
    const hash = createHash('sha256').update(JSON.stringify(read)).digest('base64url').slice(0, 22)
    return { hash, title, headings, text, bytes: Buffer.byteLength(read.join(' ')) }
  })
}

/** A section as a model of vectors reads it. */
export function embeddedText({ title, headings, text }: SectionText): string {
  return `${[title, ...headings].join(' – ')}\n\n${text}`
}
