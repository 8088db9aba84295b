/** Collects what may be shown. */
export interface Output {
  /** Text that stood there as it is, or escaped where it stood. */
  keep(text: string): void
  /** Text put in the place of something else; kept apart from its neighbours where they would mean something together. */
  put(text: string): void
  /** Takes what was collected. */
  take(): string
}

/** Takes no room and means nothing. */
const apart = '\u{2060}'
const longestRemembered = 64

const urlStart = /(?:ht|htt|https?|https?:|https?:\/|https?:\/\/|ww|www|www\.|ft|ftp|ftp:|ftp:\/|ftp:\/\/)$/i
const entityStart = /&#?[A-Za-z0-9]{0,31}$/
/** Nothing on the line yet but what opens lists and quotes. */
const lineStart = /^(?:[\s>*+-]|\d{1,9}[.)])*$/
const listStart = /^(?:[\s>*+-]|\d{1,9}[.)])*(?:[*+-]|\d{1,9}[.)]?)$/

export function createOutput(): Output {
  let text = ''
  /** The end of what was ever collected, back to the line's start if that is near. */
  let tail = ''
  let seam = false
  const add = (more: string): void => {
    if (more === '') return
    const shown = seam && joins(tail, more.charAt(0)) ? apart + more : more
    text += shown
    tail = (tail + shown).slice(-longestRemembered)
    tail = tail.slice(tail.lastIndexOf('\n') + 1)
    seam = false
  }
  return {
    keep: add,
    put(more) {
      seam = true
      // What it says must not open a list that nobody knows of.
      add(lineStart.test(tail) && /^(?:[-*+]|\d)/.test(more) ? apart + more : more)
      seam = true
    },
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
