const longest = 100_000

/**
 * What a comment asks of the agent: its text, when it names one of `names` after an `@`. What it quotes, and what stands
 * in fenced code, names nobody.
 */
export function readMention(body: string, names: readonly string[]): string | undefined {
  const text = body.slice(0, longest).trim()
  const own = ownLines(text).toLowerCase()
  const called = names.filter((name) => isNamed(own, `@${name.toLowerCase()}`))
  if (called.length === 0) return undefined
  const first = called.find((name) => text.toLowerCase().startsWith(`@${name.toLowerCase()}`))
  const rest = first === undefined ? text : text.slice(first.length + 1).replace(/^[\s,:]+/, '')
  return rest === '' ? undefined : rest
}

function ownLines(text: string): string {
  let fence: string | undefined
  const own: string[] = []
  for (const line of text.split('\n')) {
    const start = line.trimStart()
    const mark = start.startsWith('```') ? '```' : start.startsWith('~~~') ? '~~~' : undefined
    if (fence === undefined) {
      if (mark !== undefined) fence = mark
      else if (!start.startsWith('>')) own.push(line)
    } else if (mark === fence) fence = undefined
  }
  return own.join('\n')
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
