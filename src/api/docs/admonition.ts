const kinds: ReadonlyMap<string, string> = new Map([
  ['note', 'NOTE'],
  ['info', 'NOTE'],
  ['details', 'NOTE'],
  ['abstract', 'NOTE'],
  ['example', 'NOTE'],
  ['question', 'NOTE'],
  ['quote', 'NOTE'],
  ['aside', 'NOTE'],
  ['callout', 'NOTE'],
  ['admonition', 'NOTE'],
  ['tip', 'TIP'],
  ['hint', 'TIP'],
  ['check', 'TIP'],
  ['success', 'TIP'],
  ['important', 'IMPORTANT'],
  ['warning', 'WARNING'],
  ['attention', 'WARNING'],
  ['caution', 'CAUTION'],
  ['danger', 'CAUTION'],
  ['error', 'CAUTION'],
  ['failure', 'CAUTION'],
  ['bug', 'CAUTION'],
])

/** The kind of note that a word names (`tip`, `Warning`), as `[!TIP]` does; undefined when it names none. */
export function noteKind(word: string): string | undefined {
  return kinds.get(word.toLowerCase())
}

/**
 * A line that opens (`:::note Title`, `!!! note "Title"`) or closes (`:::`) an admonition. Kind undefined: it closes.
 * `indented`: its content is marked by four columns and nothing closes it.
 */
export function readAdmonition(
  line: string,
): { kind: string | undefined; title: string | undefined; indented: boolean } | undefined {
  if (line.length > 500) return undefined
  if (line.startsWith(':::')) {
    const rest = line.replace(/^:+/, '').trim()
    if (rest === '') return { kind: undefined, title: undefined, indented: false }
    const match = /^(\w+)(?!\w)(.*)$/.exec(rest)
    const kind = noteKind(match?.[1] ?? '') ?? 'NOTE'
    const title = (match?.[2] ?? '').replace(/\{[^{}]*\}$/, '').replaceAll(/^\s*\[|\]\s*$/g, '')
    return { kind, title: title.trim() === '' ? undefined : title.trim(), indented: false }
  }
  const match = /^(?:!!!|\?\?\?\+?) (\w+)(?: [\w ]*)?(?:"([^"]*)")?$/.exec(line)
  if (match?.[1] === undefined) return undefined
  return { kind: noteKind(match[1]) ?? 'NOTE', title: match[2] || undefined, indented: true }
}
