/** Lines that stand around this server's part of a description, and that a host does not show. */
export interface PartMarks {
  start: string
  end: string
}

/** For hosts whose Markdown hides HTML comments. */
export const commentMarks: PartMarks = { start: '<!-- docwright:start -->', end: '<!-- docwright:end -->' }

/** What this server says in a description, and what it knows of the rest. */
interface OwnText {
  body: string
  /** What it had written before, by which a part without marks, and lines that people put into it, are recognised. */
  former?: string | undefined
}

/** The most characters that every host takes. */
const mostCharacters = 65_000
/** Stands for what is cut off. */
const cutMark = '…'

/**
 * A description for a new pull request: the own part, in the repository's template where it has one. It stands below
 * the first heading that asks for a description, and else above the template.
 */
export function newText(marks: PartMarks, body: string, template: string | undefined): string {
  const form = template?.replaceAll('\r\n', '\n').trim() ?? ''
  if (form === '') return joined('', marks, body, '')
  const lines = form.split('\n')
  const at = lines.findIndex((line) => asksForDescription.test(line)) + 1
  return joined(lines.slice(0, at).join('\n'), marks, body, lines.slice(at).join('\n'))
}

const asksForDescription =
  /^#{1,6}\s[^\n]{0,60}\b(?:what|why|summary|description|describe|changes?|overview|purpose|motivation)\b/i

/**
 * A description with its own part replaced; everything else is people's and stays. Without marks the part is what was
 * written before, and where not even that is found, it comes below what people wrote.
 * @param disarm takes the effect from lines of this server that its host would take for commands. People's text stays
 * as it is, unless a code block may be open around the own part: another part could end that
 */
export function replaceOwnText(
  marks: PartMarks,
  present: string,
  own: OwnText,
  disarm = (text: string): string => text,
): string {
  const [body, former] = [disarm(own.body), own.former && disarm(own.former)]
  const plain = present.replaceAll('\r\n', '\n')
  const isSafe = closesCode(body) && closesCode(plain.slice(0, Math.max(0, plain.indexOf(marks.start))))
  const text = isSafe ? plain : disarm(plain)
  const start = text.indexOf(marks.start)
  const end = start === -1 ? -1 : text.lastIndexOf(marks.end)
  if (end > start) {
    const part = text.slice(start + marks.start.length, end)
    const after = text.slice(end + marks.end.length)
    // A repeated update finds what it has written itself.
    const added = addedLines(body, part) ?? addedLines(former ?? '', part) ?? foreignLines(part, body, former)
    return joined(
      text.slice(0, start),
      marks,
      body,
      added === '' ? after : `${disarm(added)}\n\n${after.trimStart()}`,
    )
  }
  const old = former?.replaceAll('\r\n', '\n').trim() ?? ''
  const oldAt = old === '' ? -1 : text.indexOf(old)
  if (oldAt !== -1) return joined(text.slice(0, oldAt), marks, body, text.slice(oldAt + old.length))
  return joined(text, marks, body, '')
}

/** What people put between the lines of the own part; undefined when these lines were changed too. */
function addedLines(written: string, part: string): string | undefined {
  const own = linesOf(written)
  if (own.length === 0) return undefined
  let at = 0
  const added = linesOf(part).filter((line) => {
    if (line !== own[at]) return true
    at++
    return false
  })
  return at === own.length ? added.join('\n') : undefined
}

/**
 * What is in the part and was never written by this server: people's lines, where they also changed or removed some of
 * ours, or where the part was cut. Empty where it is not known what was written before.
 */
function foreignLines(part: string, body: string, former: string | undefined): string {
  if (former === undefined) return ''
  const own = new Set([cutMark, ...linesOf(body), ...linesOf(former)])
  return linesOf(part)
    .filter((line) => !own.has(line))
    .join('\n')
}

function closesCode(text: string): boolean {
  return text.split('```').length % 2 === 1
}

function linesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
}

function joined(before: string, marks: PartMarks, body: string, after: string): string {
  const [above, below] = [before.trimEnd(), after.trim()]
  const room = mostCharacters - above.length - below.length - marks.start.length - marks.end.length - 20
  const own = body.length <= room ? body : cutLines(body, Math.max(0, room))
  return [above, `${marks.start}\n\n${own.trim()}\n\n${marks.end}`, below]
    .filter((part) => part !== '')
    .join('\n\n')
}

function cutLines(text: string, length: number): string {
  return `${text.slice(0, Math.max(0, text.lastIndexOf('\n', length))).toWellFormed()}\n\n${cutMark}`
}
