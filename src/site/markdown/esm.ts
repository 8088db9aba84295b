const maxLines = 2000

/** An MDX `import` or `export` block, when one starts with this line. It ends at the first blank line where all its brackets are closed. */
export function startEsm(first: string): { goesOn: (line: string) => boolean } | undefined {
  if (
    !/^(?:import\s+(?:[\w*{"']|type\b)|export\s+(?:const|let|var|function|default|async|class|type|interface|\{|\*))/.test(
      first,
    )
  ) {
    return undefined
  }
  // Prose may start with one of these words, but only a module statement names a source or binds something.
  if (first.startsWith('import') && !/["'{]|\bfrom\b/.test(first)) return undefined
  let depth = bracketDepth(first)
  let lines = 0
  return {
    goesOn: (line) => {
      if (++lines > maxLines) return false
      if (line.trim() === '') return depth > 0
      // A heading in column one is never code: the brackets were miscounted, and the rest of the page must not be lost.
      if (/^#{1,6} \S/.test(line)) return false
      depth += bracketDepth(line)
      return true
    },
  }
}

function bracketDepth(line: string): number {
  let depth = 0
  let quote = ''
  for (let at = 0; at < line.length; at++) {
    const character = line[at] ?? ''
    if (quote !== '') {
      if (character === '\\') at++
      else if (character === quote) quote = ''
    } else if (
      (character === '"' || character === '`' || character === "'") &&
      line.includes(character, at + 1)
    ) {
      quote = character
    } else if (character === '/' && line[at + 1] === '/') break
    else if ('{(['.includes(character)) depth++
    else if ('})]'.includes(character)) depth--
  }
  return depth
}
