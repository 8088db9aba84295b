import { decodeNamedCharacterReference } from 'decode-named-character-reference'

const entity = /&(#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z\d]{1,30});/g
const escapedOrEntity = /\\([!-/:-@[-`{-~])|&(#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z\d]{1,30});/g

/** The character of an entity, given without `&` and `;` (`amp`, `#39`, `#x27`); undefined for an unknown entity. */
export function entityCharacter(name: string): string | undefined {
  if (!name.startsWith('#')) {
    const character = decodeNamedCharacterReference(name)
    return character === false ? undefined : (asWritten.get(character) ?? character)
  }
  const hex = name[1] === 'x' || name[1] === 'X'
  const code = Number.parseInt(name.slice(hex ? 2 : 1), hex ? 16 : 10)
  if (!(code > 0 && code <= 0x10ffff) || (code >= 0xd800 && code <= 0xdfff)) return '\uFFFD'
  return String.fromCodePoint(code)
}

/** Simplified for search: spaces of any width become a space, invisible characters are dropped. */
const asWritten = new Map([
  ...['\u00a0', '\u2002', '\u2003', '\u2009', '\t'].map((space) => [space, ' '] as const),
  ...['\u00ad', '\u200c', '\u200d'].map((unseen) => [unseen, ''] as const),
  ['\u2010', '-'],
])

export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(entity, (whole, name: string) => entityCharacter(name) ?? whole)
}

/** What a link's destination means as it stands in the source: backslash escapes and entities are decoded. */
export function decodeDestination(source: string): string {
  if (!/[\\&]/.test(source)) return source
  // In one pass: an entity whose `&` is escaped is none.
  return source.replace(escapedOrEntity, (whole, escaped?: string, name?: string) =>
    name === undefined ? (escaped ?? whole) : (entityCharacter(name) ?? whole),
  )
}
