import { hostsOf } from './address.ts'

const maxStyle = 100_000

/** The hosts that a style loads from: every address in it, with the escapes and comments of CSS read in every way. */
export function styleHosts(style: string): string[] {
  const given = style.slice(0, maxStyle)
  const hosts = new Set<string>()
  const plain = unescaped(given)
  for (const text of new Set([given, plain, withoutComments(given), unescaped(withoutComments(given))])) {
    // A call may stand in a text, as in JSON.
    for (const pattern of [/\(\s*["']?([^"')]{1,4000})/g, /["']([^"'\n]{1,4000})/g])
      for (const [, address = ''] of text.matchAll(pattern))
        for (const host of hostsOf(address)) hosts.add(host)
  }
  return [...hosts]
}

/** Whether a style loads something at all, from wherever. */
export function styleLoads(style: string): boolean {
  const plain = unescaped(withoutComments(style.slice(0, maxStyle)))
  return (
    style.length > maxStyle ||
    /@import|expression\s*\(|-moz-binding|behavior\s*:/i.test(plain) ||
    style.includes('\\')
  )
}

function withoutComments(style: string): string {
  return style.replaceAll(/\/\*(?:[^]*?\*\/|[^]*$)/g, (comment) =>
    comment.length >= '/**/'.length && comment.endsWith('*/') ? '' : comment,
  )
}

function unescaped(style: string): string {
  return style.replaceAll(/\\(?:([0-9a-f]{1,6})\s?|\n|([^]))/gi, (_, code?: string, character?: string) => {
    if (code === undefined) return character ?? ''
    const point = Number.parseInt(code, 16)
    return point > 0 && point < 0x110000 && !(point >= 0xd800 && point < 0xe000)
      ? String.fromCodePoint(point)
      : ''
  })
}
