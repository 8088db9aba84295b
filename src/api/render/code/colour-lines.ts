import { createHighlighterCore, type HighlighterCore, type ThemeRegistration } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import { keepNewest } from '../../../lib/keep-newest.ts'
import { languageOfFile, type Language } from './languages.ts'

/** A part of a line from an offset on, with the class that colours it: `h` a heading, `''` plain text. */
export interface ColouredPart {
  from: number
  colour: string
}

/** What each class is for; the colours themselves stand in the style sheet. */
const scopes: Readonly<Record<string, readonly string[]>> = {
  h: ['markup.heading', 'entity.name.section'],
  k: ['keyword', 'storage', 'markup.quote', 'variable.unordered.list', 'variable.ordered.list'],
  s: ['string', 'markup.inline.raw', 'markup.raw', 'markup.fenced_code', 'constant.other.symbol'],
  n: ['constant', 'support.constant'],
  f: ['entity.name.function', 'support.function', 'fenced_code.block.language'],
  t: ['entity.name.tag', 'entity.name.type', 'support.class', 'support.type.property-name'],
  a: ['entity.other.attribute-name', 'variable.other.property', 'meta.object-literal.key'],
  l: ['markup.underline.link', 'string.other.link'],
  c: ['comment', 'punctuation.definition.comment'],
  p: ['punctuation'],
  b: ['markup.bold', 'string.other.strong'],
  i: ['markup.italic', 'string.other.emphasis'],
}

// A theme knows only colours, so each class is written as one.
const classes = Object.keys(scopes)
const theme: ThemeRegistration = {
  name: 'classes',
  type: 'light',
  colors: { 'editor.foreground': '#000000', 'editor.background': '#ffffff' },
  tokenColors: classes.map((name, index) => ({
    scope: [...(scopes[name] ?? [])],
    settings: { foreground: `#${(index + 1).toString(16).padStart(6, '0')}` },
  })),
}

const longestText = 300_000
const longestLine = 2000
/** Milliseconds for one line; the first one takes the time in which the grammar is prepared. */
const linePatience = 1000

let highlighter: Promise<HighlighterCore> | undefined
const kept = new Map<string, ColouredPart[][]>()
const mostKept = 40

/**
 * The colours of each line of a file. Undefined for files without a known language and for very long ones.
 * @param id names the content, so that files are read once
 */
export async function colourFile(
  id: string,
  path: string,
  text: string,
): Promise<ColouredPart[][] | undefined> {
  const language = languageOfFile(path)
  if (!language || text.length > longestText) return undefined
  const key = `${id} ${language.name}`
  const known = kept.get(key)
  if (known) return known
  const lines = await colourLines(language, text, linePatience)
  keepNewest(kept, mostKept, key, lines)
  return lines
}

/** @param patience milliseconds for a line, whose rest has no colours of its own after that; 0: however long it takes */
export async function colourLines(
  language: Language,
  text: string,
  patience: number,
): Promise<ColouredPart[][]> {
  highlighter ??= createHighlighterCore({
    themes: [theme],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  })
  const { loadLanguage, codeToTokensBase } = await highlighter
  await loadLanguage(...(language.others ?? []).map(({ load }) => load), language.load)
  return codeToTokensBase(text, {
    lang: language.name,
    theme: theme.name ?? '',
    tokenizeMaxLineLength: longestLine,
    tokenizeTimeLimit: patience,
  }).map((tokens) => {
    const start = tokens[0]?.offset ?? 0
    return tokens.map(({ offset, color }) => ({ from: offset - start, colour: classOf(color) }))
  })
}

function classOf(colour: string | undefined): string {
  return classes[Number.parseInt(colour?.slice(1) ?? '0', 16) - 1] ?? ''
}
