const bullet = /^([ \t]*)(?:[-*+•]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/

const verbs =
  'replace|change|rename|update|fix|correct|repair|move|relocate|delete|remove|add|create|insert|append|prepend|' +
  'write|put|set|give|use|normali[sz]e|standardi[sz]e|unify|apply|retitle|make|generate|fill|swap|substitute|convert|' +
  'spell|turn|find|drop|say|switch|exchange'
/** The most sentences of one line that are tried as separate requests. */
const mostJoints = 40

const startsWithVerb = new RegExp(
  `^(?:please\\s+|also\\s+|then\\s+|finally\\s+|next,?\\s+)*(?:${verbs})\\b`,
  'i',
)

/** "…, and then fix": a verb of a request must follow, otherwise the words belong to the text. */
const joint = new RegExp(
  `(?:\\s*[;.,]\\s+|\\s+)(?:and\\s+)?(?:then|also|afterwards|after that|finally|next|as well as)?,?\\s*(?:please\\s+)?(?=(?:${verbs})\\b)`,
  'gi',
)

/** A line whose text to add is on the following lines. */
const takesText = /^(?:please\s+)?(?:add|create|insert|append|prepend|write|put)\b.*:\s*$/i

/**
 * Splits a masked prompt into requests: at lines, list items, sentences and "and then". `understood` tells whether
 * a piece is a request by itself; a text is only split where both sides are.
 */
export function splitPrompt(masked: string, understood: (piece: string) => boolean): string[] {
  const pieces: string[] = []
  for (const group of groupLines(masked)) pieces.push(...splitSentence(group, understood))
  const requests = pieces.filter((piece) => piece.trim() !== '')
  // "Hello, please do the following:" is not a request by itself.
  const plain = requests.filter((piece) => !isLeadIn(piece))
  return plain.length > 0 ? plain : requests
}

function isLeadIn(piece: string): boolean {
  const text = piece.trim()
  if (/^(?:hi|hello|hey|thanks|thank you|cheers|dear)\b[^\n]{0,60}$/i.test(text)) return true
  return text.length < 200 && text.endsWith(':') && !takesText.test(text)
}

interface Group {
  lines: string[]
  indent: number | undefined
  open: boolean
}

function groupLines(masked: string): string[] {
  const groups: Group[] = []
  for (const line of masked.split('\n')) {
    const item = bullet.exec(line)
    const text = item ? line.slice(item[0].length) : line
    const indent = item?.[1]?.length
    const group = groups.at(-1)
    const starts = startsWithVerb.test(text.trim())
    const sibling = group?.indent !== undefined && indent !== undefined && indent <= group.indent
    if (group?.open === true && !(starts && sibling)) {
      group.lines.push(line)
      continue
    }
    if (text.trim() === '') {
      if (group) group.lines.push('')
      continue
    }
    // A text that began after a colon continues until the next request.
    const flows = group !== undefined && hasOpenText(group.lines[0] ?? '')
    if (flows && !starts && (indent === undefined || group.indent === undefined)) {
      group.lines.push(line)
      continue
    }
    const continues = group && !starts && indent === undefined && group.lines.at(-1) !== ''
    if (continues && !group.lines.at(-1)?.trim().endsWith(':')) group.lines.push(text)
    else {
      const open = takesText.test(text.trim())
      groups.push({ lines: [text], indent, open })
    }
    const last = groups.at(-1)
    if (last && last.lines.length > 1 && last.lines.length < 6 && !last.open)
      last.open = takesText.test(last.lines.join(' ').trim())
  }
  return groups.map((group) => group.lines.join('\n').trim())
}

function splitSentence(group: string, understood: (piece: string) => boolean): string[] {
  const known = new Map<string, string[]>()
  const split = (text: string, depth: number): string[] => {
    const before = known.get(text)
    if (before) return before
    const parts = depth > mostJoints ? [text] : cut(text, depth)
    known.set(text, parts)
    return parts
  }
  const cut = (text: string, depth: number): string[] => {
    // Only the head of a long text is split; the rest is the text to add.
    for (const match of [...text.slice(0, 4000).matchAll(joint)].slice(0, mostJoints)) {
      if (match.index === 0 || match[0].trim() === '') continue
      const left = text.slice(0, match.index).trim()
      const right = text.slice(match.index + match[0].length).trim()
      if (hasOpenText(left)) return [text]
      if (!understood(left)) continue
      const parts = split(right, depth + 1)
      if (strong(match[0]) || parts.every(understood)) return [left, ...parts]
    }
    return [text]
  }
  return split(group, 0)
}

function strong(separator: string): boolean {
  return /then|also|finally|[.;]/i.test(separator)
}

/** Text without quotes after a colon continues to the end. */
function hasOpenText(left: string): boolean {
  return /^(?:please\s+)?(?:add|create|insert|append|prepend|write|put)\b[^\n]*?:\s+[^\s\uE000]/i.test(left)
}
