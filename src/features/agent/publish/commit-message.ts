import { defuse, withoutHidden } from '../text/defuse.ts'

const columns = 72
const maxLength = 10_000

/** Title, summary in lines of 72 columns, and the trailers: the last paragraph, and the only one that is taken for them. */
export function commitMessage(input: {
  title: string
  summary: string
  model: string
  jobId: string
}): string {
  const lines = withoutHidden(input.summary.slice(0, maxLength)).split('\n').flatMap(wrap).map(plain)
  // Only now: what begins a line is decided by where lines end.
  const summary = defuse(lines.join('\n'))
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
  const model = input.model.replaceAll(/[^\P{C} ]/gu, '').slice(0, 200)
  const trailers = `Generated-by: Docwright (${model})\nDocwright-Job: ${input.jobId}`
  return [input.title, summary, trailers].filter((part) => part !== '').join('\n\n')
}

// A rule or a cutting line would end the message for git, and others would take a line like a trailer for one.
function plain(text: string): string {
  const line = text.replaceAll('>8 -', '> 8 -')
  if (/^-{3}/.test(line)) return `* * *${line.replace(/^-+/, '')}`
  const isTrailer = /^\s*(?:[A-Za-z0-9]+(?:-[A-Za-z0-9]+)+|cc)\s*:/i.test(line)
  return isTrailer ? `> ${line.trimStart()}` : line
}

function wrap(line: string): string[] {
  const lead = /^\s{0,20}(?:[-*+>] |\d{1,3}[.)] )?/.exec(line)?.[0] ?? ''
  const lines: string[] = []
  let current = lead
  let isEmpty = true
  for (const word of line.slice(lead.length).split(' ')) {
    if (!isEmpty && current.length + 1 + word.length > columns) {
      lines.push(current)
      current = ' '.repeat(lead.length)
      isEmpty = true
    }
    current += isEmpty ? word : ` ${word}`
    isEmpty = false
  }
  return [...lines, current].map((one) => one.trimEnd())
}
