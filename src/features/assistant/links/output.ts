/** Collects what may be shown. */
export interface Output {
  /** Text that stood there as it is, or escaped where it stood. */
  keep(text: string): void
  /** Text put in the place of something else; kept apart from its neighbours where they would become a link together. */
  put(text: string): void
  /** Takes what was collected. */
  take(): string
}

const urlStart = /(?:ht|htt|https?|https?:|https?:\/|https?:\/\/|ww|www|www\.|ft|ftp|ftp:|ftp:\/|ftp:\/\/)$/i

export function createOutput(): Output {
  let text = ''
  let tail = ''
  let seam = false
  const add = (more: string): void => {
    if (more === '') return
    const apart = seam && tail !== '' && joins(tail, more.charAt(0)) ? ' ' : ''
    text += apart + more
    tail = (tail + apart + more).slice(-8)
    seam = false
  }
  return {
    keep: add,
    put(more) {
      seam = true
      add(more)
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
  if (last === '`') return next === '`'
  if (last === '\\') return /[!-/:-@[-`{-~]/.test(next)
  return urlStart.test(tail + next)
}
