import { ownText, seenText } from './own-text.ts'

const longest = 100_000

/**
 * What a comment asks of the agent: its text, when it names one of `names` after an `@`. What it quotes, what stands in
 * code, and what is hidden, names nobody.
 */
export function readMention(body: string, names: readonly string[]): string | undefined {
  const text = body.slice(0, longest).trim()
  const own = ownText(text).toLowerCase()
  const called = names.filter((name) => isNamed(own, `@${name.toLowerCase()}`))
  if (called.length === 0) return undefined
  const start = text.toLowerCase()
  const first = called
    .filter((name) => start.startsWith(`@${name.toLowerCase()}`))
    .toSorted((one, other) => other.length - one.length)[0]
  const rest = first === undefined ? text : text.slice(first.length + 1).replace(/^[\s,:]+/, '')
  const asked = seenText(rest).trim()
  return asked === '' ? undefined : asked
}

// Not inside of an address, a path or a longer name.
function isNamed(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const before = text.charAt(at - 1)
    const after = text.slice(at + name.length, at + name.length + 2)
    if (!/[\w.@/`-]/.test(before) && !/^(?:[\w/-]|\.\w)/.test(after)) return true
  }
  return false
}
