/** Where a construct ends; `more`: unknown until more text arrives. */
export type Extent = { end: number } | 'more' | 'none'

/**
 * Finds the `]` of the `[` at `from`, on the same line, with brackets inside it balanced and code skipped.
 * @returns `end` behind the bracket
 */
export function closeBracket(line: string, from: number): Extent {
  let depth = 0
  for (let at = from; at < line.length; at++) {
    const char = line[at]
    if (char === '\\') at++
    else if (char === '[') depth++
    else if (char === ']') {
      depth--
      if (depth === 0) return { end: at + 1 }
    } else if (char === '`') {
      const run = runLength(line, at)
      const close = closeRun(line, at + run, run)
      at = (close === undefined ? at : close) + run - 1
    }
  }
  return 'more'
}

/** Length of the run of the character at `at`. */
export function runLength(line: string, at: number): number {
  let end = at
  while (line[end] === line[at] && end < line.length) end++
  return end - at
}

/** Where a run of exactly `length` backticks begins, from `from` on. */
export function closeRun(line: string, from: number, length: number): number | undefined {
  for (let at = line.indexOf('`', from); at >= 0;) {
    const run = runLength(line, at)
    if (run === length) return at
    at = line.indexOf('`', at + run)
  }
  return undefined
}

/** Reads `(target "title")` at `from`, where the parenthesis stands. */
export function readDestination(
  line: string,
  from: number,
): (Extent & object & { target: string }) | 'more' | 'none' {
  let at = skipSpaces(line, from + 1)
  let target = ''
  if (line[at] === '<') {
    const close = line.indexOf('>', at)
    if (close < 0) return 'more'
    target = line.slice(at + 1, close)
    at = close + 1
  } else {
    const begin = at
    let depth = 0
    for (; at < line.length; at++) {
      const char = line[at]
      if (char === '\\') at++
      else if (char === '(') depth++
      else if (char === ')' && depth-- === 0) break
      else if (char === ' ' || char === '\t') break
    }
    if (at >= line.length) return 'more'
    target = line.slice(begin, at)
  }
  at = skipSpaces(line, at)
  const quote = line[at]
  if (quote === '"' || quote === "'" || quote === '(') {
    const close = closeTitle(line, at + 1, quote === '(' ? ')' : quote)
    if (close === undefined) return 'more'
    at = skipSpaces(line, close + 1)
  }
  if (at >= line.length) return 'more'
  return line[at] === ')' ? { target, end: at + 1 } : 'none'
}

function closeTitle(line: string, from: number, quote: string): number | undefined {
  for (let at = from; at < line.length; at++) {
    if (line[at] === '\\') at++
    else if (line[at] === quote) return at
  }
  return undefined
}

function skipSpaces(line: string, from: number): number {
  let at = from
  while (line[at] === ' ' || line[at] === '\t') at++
  return at
}
