import { replyMarks, type ReplyMark } from './outcome.ts'

/** Takes the line out of a reply by which a model tells what the reply is, as it streams. */
export interface MarkReader {
  /** @returns what may be shown so far */
  write(delta: string): string
  /** What was held back. */
  end(): string
  mark(): ReplyMark | undefined
  /** What the mark names as missing. */
  missing(): string[]
}

const open = '<reply-outcome>'
const close = '</reply-outcome>'
const longestMark = 300

/** The line for a mark, as models are told to write it. */
export function markLine(mark: string): string {
  return `${open}${mark}${close}`
}

/** Nothing between the two tags is ever shown, whatever it says. */
export function createMarkReader(): MarkReader {
  let held = ''
  let mark: ReplyMark | undefined
  let missing: string[] = []
  /** Whether a mark was taken out behind words, which the next ones must not be joined to. */
  let joins = false
  let endsInWord = false

  const apart = (text: string): string => {
    if (text === '') return text
    const between = joins && !/^\s/.test(text) ? ' ' : ''
    joins = false
    return between + text
  }

  const takeMarks = (): string => {
    let shown = ''
    for (let at = held.indexOf(open); at >= 0; at = held.indexOf(open)) {
      const end = held.indexOf(close, at)
      if (end < 0 && held.length - at <= longestMark) break
      const word = end < 0 ? '' : held.slice(at + open.length, end).trim()
      const [name = '', ...named] = word.split(/[:：,，、]/)
      const known = replyMarks.find((one) => one === name.trim().toLowerCase())
      if (known !== undefined) [mark, missing] = [known, named]
      shown += apart(held.slice(0, at)).trimEnd()
      joins = shown === '' ? endsInWord : true
      held = held.slice(end < 0 ? at + open.length : end + close.length)
    }
    return shown
  }

  return {
    write(delta) {
      held += delta
      const text = takeMarks()
      const safe = safeLength(held)
      const more = apart(held.slice(0, safe))
      held = held.slice(safe)
      if (text + more !== '') endsInWord = /\S$/.test(text + more)
      return text + more
    },
    end() {
      const text = takeMarks()
      const at = held.indexOf(open)
      const rest = at < 0 ? held : held.slice(0, at).trimEnd()
      held = ''
      return text + (mark !== undefined && rest.trim() === '' ? '' : apart(rest))
    },
    mark: () => mark,
    missing: () => missing,
  }
}

// What cannot belong to a mark: neither what may be its beginning, nor the line breaks before it.
function safeLength(text: string): number {
  const begun = text.indexOf(open)
  let at = begun < 0 ? text.length : begun
  if (begun < 0)
    for (let length = Math.min(open.length - 1, text.length); length > 0; length--)
      if (text.endsWith(open.slice(0, length))) {
        at = text.length - length
        break
      }
  const words = text.slice(0, at).trimEnd().length
  return text.slice(words, at).includes('\n') && at - words <= longestMark ? words : at
}
