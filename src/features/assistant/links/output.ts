/** Collects what may be shown. */
export interface Output {
  /** Adds original text, unchanged or escaped. */
  keep(text: string): void
  /** Adds text in place of something else, separated from its neighbours where they would combine into markup. */
  put(text: string): void
  /** The end of the line so far, what was taken included. */
  lineEnd(): string
  /** Takes what was collected. */
  take(): string
}

/** Takes no room and means nothing. */
const apart = '\u{2060}'
const longestRemembered = 64

const urlStart = /(?:ht|htt|https?|https?:|https?:\/|https?:\/\/|ww|www|www\.|ft|ftp|ftp:|ftp:\/|ftp:\/\/)$/i
const entityStart = /&#?[A-Za-z0-9]{0,31}$/
/** Whether the line holds nothing yet but markers of lists and quotes. */
export const lineStart = /^(?:[\s>*+-]|\d{1,9}[.)])*$/
const listStart = /^(?:[\s>*+-]|\d{1,9}[.)])*(?:[*+-]|\d{1,9}[.)]?)$/

export function createOutput(): Output {
  let text = ''
  /** The end of all collected text, from the start of the line if that is near. */
  let tail = ''
  let seam = false
  const add = (more: string): void => {
    if (more === '') return
    const addition = seam && joins(tail, more.charAt(0)) ? apart + more : more
    text += addition
    tail = (tail + addition).slice(-longestRemembered)
    tail = tail.slice(tail.lastIndexOf('\n') + 1)
    seam = false
  }
  return {
    keep: add,
    put(more) {
      seam = true
      // Its text must not open a list that the guard does not know of.
      add(lineStart.test(tail) && /^(?:[-*+]|\d)/.test(more) ? apart + more : more)
      seam = true
    },
    lineEnd: () => tail,
    take() {
      const taken = text
      text = ''
      return taken
    },
  }
}

function joins(tail: string, next: string): boolean {
  const last = tail.at(-1) ?? ''
  if (last === ']') return '([:'.includes(next)
  if (last === '!') return next === '['
  if (last === '`' || last === '~' || last === '$') return next === last
  if (last === '\\') return /[!-/:-@[-`{-~]/.test(next)
  if (last === '<') return /[A-Za-z/!?]/.test(next)
  if (entityStart.test(tail)) return /[#;A-Za-z0-9]/.test(next)
  if (listStart.test(tail) && /[\s\d.)]/.test(next)) return true
  return urlStart.test(tail + next)
}
