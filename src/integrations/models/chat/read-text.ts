import { createCodeMarks, type CodeMarks } from './code-marks.ts'
import { loneEnd, longestEnd, thoughtAt, tokenAt } from './special-tokens.ts'

/** What is known of how a model begins its answers; the same object for all of its answers. */
export interface Habit {
  /** `thinks`: its thoughts come first, without a sign of their beginning. */
  begins: 'unknown' | 'says' | 'thinks'
}

/** The same for an answer that is there as a whole. */
export function readText(text: string): { thought: string; said: string } {
  const { thought, said } = createTextReader({ begins: 'thinks' }).end(text)
  return { thought: thought.trim(), said }
}

interface TextReader {
  write(piece: string): Pieces
  /** @param last text that comes with the end */
  end(last?: string): Pieces
}

interface Pieces {
  thought: string
  said: string
}

/** Signs of a text that a beginning of thoughts without a sign of it is looked for in. */
const openings = [
  'okay', 'ok, ', 'alright', 'hmm', 'so the user', 'so, the', 'well, ', 'let me ', "let's ", 'first, i', 'i need to',
  'i should', 'we need to', 'we have to', 'we are ', 'the user', 'the question', 'the reader', 'user asks', 'user wants',
  'got it', 'to answer', 'thinking', 'looking at the', '好的', '嗯', '首先', '用户',
] // prettier-ignore

/**
 * Reads the text of an answer as it comes, tells what the model thinks from what it says, and leaves out the control
 * tokens that its server sent on. In code and in the middle of a sentence, they are what the answer is about, and stay.
 *
 * Thoughts may also begin without a sign, and only end with one. The text of a model that did so before is held back until
 * then, and so is the first one of a model whose words look like thoughts.
 */
export function createTextReader(habit: Habit): TextReader {
  let phase: 'begin' | 'thinking' | 'waiting' | 'said' | 'over' = 'begin'
  let held = ''
  /** What was handed on as thought while it waited, and may have been said. */
  let waited = ''
  let close = /$^/
  const marks = createCodeMarks()
  const waitMarks = createCodeMarks()
  let isPastThoughts = false

  const read = (isLast: boolean): Pieces => {
    const out: Pieces = { thought: '', said: '' }
    for (;;) {
      const before = phase
      const rest = held.length
      step(out, isLast)
      if (held === '' || (phase === before && held.length === rest)) return out
    }
  }

  const step = (out: Pieces, isLast: boolean): void => {
    if (phase === 'begin') return begin(isLast)
    if (phase === 'thinking') return think(out, isLast)
    if (phase === 'waiting') return wait(out, isLast)
    if (phase === 'over') held = ''
    else say(out, isLast)
  }

  const begin = (isLast: boolean): void => {
    held = held.trimStart()
    if (held === '') return
    const thought = thoughtAt(held, isLast)
    if (thought === 'begun') return
    if (thought) return startThinking(thought)
    const token = tokenAt(held, 0, isLast)
    if (token === 'begun') return
    if (token) {
      held = held.slice(token.length)
      if (token.isOther) phase = 'over'
      return
    }
    const opening = held.slice(0, 20).toLowerCase()
    if (habit.begins === 'unknown' && !isPastThoughts) {
      if (!isLast && openings.some((words) => words !== opening && words.startsWith(opening))) return
      if (openings.some((words) => opening.startsWith(words))) phase = 'waiting'
    }
    if (habit.begins === 'thinks' && !isPastThoughts) phase = 'waiting'
    if (phase === 'begin') phase = 'said'
  }

  const startThinking = (thought: { length: number; close: RegExp }): void => {
    held = held.slice(thought.length)
    close = thought.close
    phase = 'thinking'
    isPastThoughts = true
  }

  const think = (out: Pieces, isLast: boolean): void => {
    const end = close.exec(held)
    // What may be the beginning of the end waits for the rest.
    const until = end ? end.index : isLast ? held.length : Math.max(0, held.length - longestEnd)
    out.thought += held.slice(0, until)
    held = held.slice(until + (end?.[0].length ?? 0))
    if (end) phase = 'begin'
  }

  /** Until the end of the thoughts, or of the answer, which then held none. */
  const wait = (out: Pieces, isLast: boolean): void => {
    let thought = ''
    const passOn = (length: number): void => {
      thought += held.slice(0, length)
      held = held.slice(length)
    }
    for (;;) {
      loneEnd.lastIndex = 0
      const end = loneEnd.exec(held)
      if (end === null && isLast) break
      // What may be the beginning of an end waits for the rest.
      const until = end?.index ?? Math.max(0, held.length - longestEnd - 2)
      const taken = waitMarks.take(held.slice(0, until), end !== null)
      passOn(taken)
      const after = held.slice(end?.[0].length)
      if (end === null || (after === '' && !isLast)) {
        waited += thought
        out.thought += thought
        return
      }
      if (endsThoughts(waitMarks, after)) {
        out.thought += thought
        held = after
        habit.begins = 'thinks'
        waited = ''
        isPastThoughts = true
        phase = 'begin'
        return
      }
      waitMarks.take(end[0], true)
      passOn(end[0].length)
    }
    // The answer held no thoughts: all that was handed on as such is said.
    if (habit.begins === 'thinks') habit.begins = 'says'
    held = waited + thought + held
    waited = ''
    phase = 'said'
  }

  const say = (out: Pieces, isLast: boolean): void => {
    while (held !== '') {
      const next = held.search(/[<[◁]/)
      if (next !== 0) {
        const plain = next < 0 ? held : held.slice(0, next)
        const taken = marks.take(plain, isLast || next >= 0)
        out.said += held.slice(0, taken)
        held = held.slice(taken)
        if (taken < plain.length) break
        continue
      }
      const sign = marks.code() === undefined ? signAt(isLast) : undefined
      if (sign === 'begun') break
      if (sign === undefined) {
        marks.take(held.slice(0, 1), true)
        out.said += held.slice(0, 1)
        held = held.slice(1)
        continue
      }
      if (sign === 'thought') {
        phase = 'begin'
        break
      }
      if (sign.endsThoughts) habit.begins = 'thinks'
      held = held.slice(sign.length)
      if (sign.isOther) phase = 'over'
      if (phase === 'over') break
    }
    isPastThoughts ||= out.said !== ''
  }

  /** A control token at the beginning of what is held, or the end of thoughts. */
  const signAt = (
    isLast: boolean,
  ): { length: number; isOther: boolean; endsThoughts: boolean } | 'begun' | 'thought' | undefined => {
    const thought = held.startsWith('<|') ? thoughtAt(held, isLast) : undefined
    if (thought === 'begun') return 'begun'
    if (thought) return 'thought'
    loneEnd.lastIndex = 0
    const end = loneEnd.exec(held.slice(0, longestEnd))
    const token = end?.index === 0 ? undefined : tokenAt(held, 0, isLast)
    if (token === 'begun' || (!isLast && end?.index !== 0 && begunEnd.test(held))) return 'begun'
    const length = end?.index === 0 ? end[0].length : token?.length
    if (length === undefined) return undefined
    const after = held.slice(length, length + 40)
    if (!isLast && after.trim() === '' && !after.includes('\n')) return 'begun'
    if (isMention(marks.line(), after)) return undefined
    // In HTML, it ends a text that is struck through.
    if (held.startsWith('</s>') && after.trim() !== '' && !after.trimStart().startsWith('<')) return undefined
    return { length, isOther: token?.isOther ?? false, endsThoughts: token === undefined }
  }

  return {
    write(piece) {
      held += piece
      return read(false)
    },
    end(last = '') {
      held += last
      const out = read(true)
      if (out.said !== '' || phase === 'said') if (habit.begins === 'unknown') habit.begins = 'says'
      return out
    },
  }
}

/** What may become the end of thoughts. */
const begunEnd = /^(?:<\/?[\w:]{0,24}|\[\/?[THINK]{0,5}|◁\/?[a-z]{0,5})$/

/** Whether a token stands in a sentence that is about it. */
function isMention(before: string, after: string): boolean {
  const next = after.trimStart()
  const goesOn = next !== '' && !/^[ \t]*\n/.test(after) && !next.startsWith('<')
  return goesOn && before.trim() !== '' && /[\s"'(“‘«*_[]$/.test(before) && /^[\s"')”’»*_\].,;:]/.test(after)
}

/**
 * Whether a sign that ends thoughts does so: it stands in no code and in no sentence.
 * @param marks of the text before it
 */
function endsThoughts(marks: CodeMarks, after: string): boolean {
  const code = marks.code()
  if (code === 'fence') return false
  // Thoughts are careless with backticks, so an end on a line of its own counts nevertheless.
  if (marks.line().trim() === '' && /^\s{0,40}(?:\n|$)/.test(after.slice(0, 41))) return true
  return code === undefined && !isMention(marks.line(), after.slice(0, 40))
}
