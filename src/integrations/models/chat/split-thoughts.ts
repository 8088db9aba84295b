const open = '<think>'
const close = '</think>'

/** Splits off a model's thoughts that its server left at the beginning of the text. */
export function splitThoughts(text: string): { thought: string | undefined; said: string } {
  const end = text.indexOf(close)
  // Some templates write the opening tag, so that the answer holds only the closing one.
  const start = text.trimStart().startsWith(open) ? text.indexOf(open) + open.length : 0
  if (end < 0 || (start === 0 && text.slice(0, end).includes('`'))) return { thought: undefined, said: text }
  return { thought: text.slice(start, end).trim(), said: text.slice(end + close.length).trimStart() }
}

/** The same for a streamed answer, which has to begin with the opening tag. */
export function createThoughtSplitter(): (piece: string) => { thought: string; said: string } {
  let state: 'begin' | 'thinking' | 'after' | 'said' = 'begin'
  let held = ''
  return (piece) => {
    held += piece
    let thought = ''
    if (state === 'begin') {
      const begun = held.trimStart()
      if (begun.startsWith(open)) {
        state = 'thinking'
        held = begun.slice(open.length)
      } else if (open.startsWith(begun)) return { thought: '', said: '' }
      else state = 'said'
    }
    if (state === 'thinking') {
      const end = held.indexOf(close)
      // Text that may be the beginning of the closing tag waits for the rest.
      const until = end < 0 ? held.length - partOfClose(held) : end
      thought = held.slice(0, until)
      held = held.slice(until)
      if (end < 0) return { thought, said: '' }
      state = 'after'
      held = held.slice(close.length)
    }
    if (state === 'after') {
      held = held.trimStart()
      if (held !== '') state = 'said'
    }
    const said = held
    held = ''
    return { thought, said }
  }
}

function partOfClose(text: string): number {
  for (let length = close.length - 1; length > 0; length--)
    if (text.endsWith(close.slice(0, length))) return length
  return 0
}
