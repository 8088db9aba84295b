import { isRecord } from '../../../lib/is-record.ts'

const longText = 300
const longList = 20
const note = /^(?:\[left out: [\d,]+ characters\]|\(as in the file, [\d,]+ lines?\))$/

/** A call's input without its long texts, which an earlier step no longer needs. `isWritten`: the files hold them now. */
export function shortInput(input: unknown, isWritten = false): unknown {
  if (typeof input === 'string') return input.length > longText ? leftOut(input, isWritten) : input
  if (Array.isArray(input)) {
    const some: unknown[] = input.slice(0, longList).map((item) => shortInput(item, isWritten))
    return input.length > longList ? [...some, `[left out: ${input.length - longList} more]`] : some
  }
  if (!isRecord(input)) return input
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => [key, shortInput(value, isWritten && key !== 'search')]),
  )
}

/** A tool's output, or a line that describes it. */
export function shortOutput(name: string, input: unknown, output: unknown): unknown {
  const text = JSON.stringify(output)
  if (text.length <= longText) return output
  const lines = isRecord(output) && typeof output['content'] === 'string' && output['content'].split('\n')
  const size = lines ? `${lines.length} lines` : `${text.length.toLocaleString('en')} characters`
  return `[left out: ${[name, subjectOf(input)].join(' ').trim()}, ${size}; call it again if needed]`
}

/** Whether a model has copied a note about an omitted text, and is about to write it into a file. */
export function copiesOmissionNote(input: unknown): boolean {
  if (typeof input === 'string') return input.length < 60 && note.test(input.trim())
  if (Array.isArray(input)) return input.some(copiesOmissionNote)
  return isRecord(input) && Object.values(input).some(copiesOmissionNote)
}

function leftOut(text: string, isWritten: boolean): string {
  if (!isWritten) return `[left out: ${text.length.toLocaleString('en')} characters]`
  const lines = text.replace(/\n$/, '').split('\n').length
  return `(as in the file, ${lines.toLocaleString('en')} ${lines === 1 ? 'line' : 'lines'})`
}

function subjectOf(input: unknown): string {
  if (!isRecord(input)) return ''
  const candidates = [input['path'], input['from'], input['pattern'], input['query'], input['glob']]
  const subject = candidates.find((value) => typeof value === 'string' && value !== '')
  return typeof subject === 'string' ? subject.slice(0, 200).toWellFormed() : ''
}
