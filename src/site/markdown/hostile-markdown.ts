import { isTableDelimiter } from './line.ts'

const maxCost = 4e8

/**
 * Whether a Markdown parser would take seconds or minutes for a malicious text: the cost grows with the square of
 * the lines, brackets and other signs of a paragraph. Pages that people write stay far below the limit. Takes
 * linear time. It is an estimate: a text that passes may still take long, so parsing needs a deadline as well.
 */
export function isHostileMarkdown(text: string): boolean {
  let cost = 0
  let lines = 0
  let signs = 0
  let inTable = false
  const close = (): void => {
    cost += signs * signs
    signs = 0
  }
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    let first = start
    while (first < end && (text[first] === ' ' || text[first] === '\t' || text[first] === '\r')) first++
    if (first === end) {
      close()
      cost += lines * lines
      lines = 0
      inTable = false
    } else {
      lines += 0.8
      inTable ||= end - first < 1000 && isTableDelimiter(text.slice(first, end))
      // Items of lists and rows of tables are paragraphs of their own.
      if (inTable || (text[first + 1] === ' ' && '-*+'.includes(text[first] ?? ''))) close()
      for (let at = first; at < end; at++) signs += weights[text.charCodeAt(at)] ?? 0
    }
    start = end + 1
  }
  close()
  return cost + lines * lines > maxCost
}

const weights = new Float32Array(128)
for (const [sign, weight] of Object.entries({
  '[': 5,
  ']': 5,
  '*': 1,
  _: 1,
  '~': 1,
  '<': 0.5,
  '`': 0.5,
  ':': 0.2,
  '{': 0.2,
}))
  weights[sign.charCodeAt(0)] = weight
