import { endOfBraces } from './end-of-braces.ts'

export interface FrontMatter {
  /** Behind it, for the reader that ends it first; 0 when only some take it for front matter. */
  end: number
  /** Readers do not agree where it ends. */
  sources: { source: string; kind: 'yaml' | 'toml' | 'json' }[]
  /** The line that begins it, when it names a language that some readers run. */
  language?: string
  /** Every site generator takes it for front matter. */
  isSure: boolean
}

const opening = /^\uFEFF?(\s{0,1000}?)(---|\+\+\+|;;;)([^\n]*)\n/
const maxLength = 128 * 1024

/** Whatever some site generator takes for the front matter of a page: YAML, TOML or JSON. */
export function findFrontMatter(text: string): FrontMatter | undefined {
  if (/^\uFEFF?\{\s/.test(text)) {
    const end = endOfBraces(text, text.indexOf('{'), Math.min(text.length, maxLength))
    if (end === undefined) return undefined
    return { end: 0, sources: [{ source: text.slice(0, end), kind: 'json' }], isSure: false }
  }
  const start = opening.exec(text)
  if (start === null) return undefined
  const [whole, before = '', marker = '---', language = ''] = start
  if (before !== '' && !before.endsWith('\n')) return undefined
  const close = text.indexOf(`\n${marker}`, whole.length - 1)
  if (close === -1) return undefined
  if (/^\s*\w/.test(language) && !/^\s*(?:ya?ml|json|toml)\s*$/i.test(language))
    return {
      end: whole.length,
      sources: [{ source: text.slice(whole.length, close + 1), kind: 'yaml' }],
      language: whole.trim(),
      isSure: true,
    }
  const kind = marker === '+++' || /toml/i.test(language) ? 'toml' : marker === ';;;' ? 'json' : 'yaml'
  const alone = new RegExp(
    `\\n(?:${marker === '+++' ? '\\+\\+\\+' : `${marker}|\\.\\.\\.`})[ \\t]*(?=\\n|$)`,
    'g',
  )
  alone.lastIndex = whole.length - 1
  const other = alone.exec(text)?.index ?? close
  const ends = [...new Set([close + 1, other + 1])]
  return {
    // For who does not take it for front matter it is part of the page.
    end: before === '' ? Math.min(...ends) : 0,
    sources: ends.map((end) => ({ source: text.slice(whole.length, Math.max(whole.length, end)), kind })),
    isSure: before === '',
  }
}
