import { Lexer, type Token, type Tokens } from 'marked'

/**
 * What a Markdown text is shown as, before it becomes elements: nothing in here can be an element, an attribute or an
 * address that `Piece` does not name.
 */
export type Piece =
  | string
  | { kind: Plain; of: Piece[] }
  | { kind: 'link'; address: string; of: Piece[] }
  | { kind: 'heading'; level: number; of: Piece[] }
  | { kind: 'list'; start: number | undefined; items: { checked: boolean | undefined; of: Piece[] }[] }
  | { kind: 'code'; language: string; text: string }
  | { kind: 'inline-code'; text: string }
  | { kind: 'table'; head: Piece[][]; rows: Piece[][][]; align: (string | undefined)[] }
  | { kind: 'rule' }
  | { kind: 'break' }

type Plain = 'paragraph' | 'quote' | 'strong' | 'em' | 'del' | 'group'

/** Deeper texts are shown as they are: nesting has no limit in Markdown, and the stack has. */
const deepest = 16
const longest = 200_000

/** A block of a text, and its source. */
export interface Block {
  source: string
  piece: Piece
}

/** The blocks of a text, in their order. What joins them again is their sources. */
export function readMarkdown(text: string): Block[] {
  const nested = /^(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])){40}/m.test(text)
  if (nested || text.length > longest) return [{ source: text, piece: { kind: 'paragraph', of: [text] } }]
  try {
    const tokens = new Lexer({ gfm: true }).lex(text)
    return tokens.map((token) => ({ source: token.raw, piece: blockOf(token, 0) }))
  } catch {
    return [{ source: text, piece: { kind: 'paragraph', of: [text] } }]
  }
}

function blockOf(given: Token, depth: number): Piece {
  const token = given as Tokens.Generic
  if (depth > deepest) return token.raw
  const inside = (): Piece[] => inlineOf(token.tokens ?? [], depth + 1)
  const blocks = (tokens: Token[] = []): Piece[] => tokens.map((one) => blockOf(one, depth + 1))
  switch (token.type) {
    case 'space':
    case 'def':
      return ''
    case 'heading':
      return { kind: 'heading', level: Math.min(6, Number(token['depth'])), of: inside() }
    case 'paragraph':
      return { kind: 'paragraph', of: inside() }
    case 'text':
      return { kind: 'group', of: token.tokens ? inside() : [textOf(token)] }
    case 'blockquote':
      return { kind: 'quote', of: blocks(token.tokens) }
    case 'hr':
      return { kind: 'rule' }
    case 'code':
      return { kind: 'code', language: String(token['lang'] ?? '').slice(0, 40), text: textOf(token) }
    case 'list': {
      const { ordered, start, items } = given as Tokens.List
      return {
        kind: 'list',
        start: ordered ? Number(start) || 1 : undefined,
        items: items.map(({ task, checked, tokens }) => ({
          checked: task ? checked === true : undefined,
          of: blocks(tokens.filter(({ type }) => type !== 'checkbox')),
        })),
      }
    }
    case 'table': {
      const { header, rows, align } = given as Tokens.Table
      const cells = (row: Tokens.TableCell[]): Piece[][] =>
        row.map(({ tokens }) => inlineOf(tokens, depth + 1))
      return {
        kind: 'table',
        head: cells(header),
        rows: rows.map(cells),
        align: align.map((side) => side ?? undefined),
      }
    }
    // HTML of an answer is a text like any other.
    case 'html':
      return { kind: 'paragraph', of: [token.raw.trim()] }
    default:
      return token.raw
  }
}

function inlineOf(tokens: Token[], depth: number): Piece[] {
  return tokens.map((given): Piece => {
    const token = given as Tokens.Generic
    if (depth > deepest) return token.raw
    const inside = (): Piece[] => inlineOf(token.tokens ?? [], depth + 1)
    switch (token.type) {
      case 'strong':
      case 'em':
      case 'del':
        return { kind: token.type, of: inside() }
      case 'codespan':
        return { kind: 'inline-code', text: textOf(token) }
      case 'br':
        return { kind: 'break' }
      case 'text':
        return token.tokens ? { kind: 'group', of: inside() } : textOf(token)
      case 'escape':
        return textOf(token)
      case 'link':
        return linkTo(token['href'], inside())
      // Images of strangers are not loaded: they would tell where the reader is.
      case 'image':
        return linkTo(token['href'], [textOf(token) || String(token['href'])])
      default:
        return token.raw
    }
  })
}

function linkTo(given: unknown, of: Piece[]): Piece {
  const address = safeAddress(given)
  return address === undefined ? { kind: 'group', of } : { kind: 'link', address, of }
}

/** The address as browsers understand it, if it is a whole one of the web or of mail. */
export function safeAddress(given: unknown): string | undefined {
  if (typeof given !== 'string' || !URL.canParse(given)) return undefined
  const { protocol, href } = new URL(given)
  return ['https:', 'http:', 'mailto:'].includes(protocol) ? href : undefined
}

function textOf({ text }: Tokens.Generic): string {
  return String(text ?? '')
}
