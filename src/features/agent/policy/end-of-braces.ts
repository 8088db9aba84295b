/** Just behind the `}` that closes the `{` at `at`; strings, templates and comments may hold braces. Undefined for none before `limit`. */
export function endOfBraces(text: string, at: number, limit: number): number | undefined {
  let depth = 0
  for (let position = at; position < limit; position++) {
    const character = text[position]
    if (character === '{') depth++
    else if (character === '}' && --depth === 0) return position + 1
    else if (character === '/' && text[position + 1] === '*') {
      const close = text.indexOf('*/', position + 2)
      if (close === -1 || close >= limit) return undefined
      position = close + 1
    } else if (character === '"' || character === "'" || character === '`') {
      position = closingQuote(text, position, limit) ?? position
    }
  }
  return undefined
}

// An apostrophe in running text opens no string.
function closingQuote(text: string, at: number, limit: number): number | undefined {
  const quote = text[at]
  for (let position = at + 1; position < limit; position++) {
    const character = text[position]
    if (character === '\\') position++
    else if (character === quote) return position
    else if (character === '\n' && quote !== '`') return undefined
  }
  return undefined
}
