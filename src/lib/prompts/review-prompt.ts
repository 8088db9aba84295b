/** Of a comment on lines, in characters. */
export const longestComment = 10_000

/** A comment on lines of a change, as the prompt of a follow-up tells it. */
export interface ReviewRemark {
  path: string
  /** Of the change: as the file was before it, or as it is after it. */
  side: 'old' | 'new'
  /** 0 for the whole file. */
  line: number
  endLine: number
  /** The lines, as they were when somebody commented on them. */
  quote: string
  /** What was asked. */
  body: string
}

export interface Review {
  remarks: ReviewRemark[]
  /** About the change as a whole. */
  remark: string | undefined
}

const opening =
  'Review of the change. Do what each comment asks, at the place that it names; the lines that it is about are quoted.'
/** Stands before the comments where one of them suggests a text; `readReview` leaves it out. */
const aboutSuggestions =
  'What a comment suggests, in a block `suggestion` or behind "Replace with", takes the place of the lines that it quotes, exactly as it stands there.'
const overall = '## The change as a whole'
const heading = /^## (.+), (?:the whole file|lines? (\d{1,9})(?: to (\d{1,9}))?)( before the change)?$/

/** Writes a review as the prompt of a follow-up, which reads well as plain text and as Markdown. */
export function writeReview({ remarks, remark }: Review): string {
  const parts = remarks.map((one) =>
    [placeOf(one), ...(one.quote === '' ? [] : [quoted(one.quote)]), said(one.body)].join('\n\n'),
  )
  if (remark !== undefined) parts.push(`${overall}\n\n${said(remark)}`)
  const suggests = remarks.some(({ body }) => suggestionIn(body) !== undefined)
  return [opening, ...(suggests ? [aboutSuggestions] : []), ...parts].join('\n\n')
}

function placeOf({ path, side, line, endLine }: ReviewRemark): string {
  const several = endLine > line ? `lines ${line} to ${endLine}` : `line ${line}`
  const lines = line === 0 ? 'the whole file' : several
  return `## ${path.replaceAll(/[\r\n]/g, ' ')}, ${lines}${side === 'old' ? ' before the change' : ''}`
}

// A carriage return within a line of a file begins a new line in Markdown, which would stand outside of the quote.
function quoted(lines: string): string {
  return lines
    .split(/\r\n?|\n/)
    .map((line) => `> ${line}`)
    .join('\n')
}

// A line of a comment that looks like the beginning of the next one stays a heading in Markdown, but not here.
function said(body: string): string {
  return body.replaceAll(/^## /gm, ' ## ')
}

/** The review that a prompt was written from; undefined for any other prompt. */
export function readReview(prompt: string): Review | undefined {
  const [first, ...lines] = prompt.split('\n')
  if (first !== opening) return undefined
  const remarks: (ReviewRemark & { lines: string[] })[] = []
  let whole: string[] | undefined
  for (const line of lines) {
    const [, path, from, to, before] = heading.exec(line) ?? []
    if (line === overall) whole = []
    else if (path !== undefined)
      remarks.push({
        path,
        side: before === undefined ? 'new' : 'old',
        line: Number(from ?? 0),
        endLine: Number(to ?? from ?? 0),
        quote: '',
        body: '',
        lines: [],
      })
    else (whole ?? remarks.at(-1)?.lines)?.push(line)
  }
  return {
    remarks: remarks.map(({ lines, ...remark }) => ({ ...remark, ...quoteAndBody(lines) })),
    remark: whole?.join('\n').trim(),
  }
}

function quoteAndBody(lines: readonly string[]): { quote: string; body: string } {
  const start = lines.findIndex((line) => line !== '')
  const after = lines.findIndex((line, at) => at >= start && !line.startsWith('> '))
  const end = after === -1 ? lines.length : after
  return {
    quote: lines
      .slice(start, end)
      .map((line) => line.slice(2))
      .join('\n'),
    body: lines
      .slice(end)
      .map((line) => line.replace(/^ (?=## )/, ''))
      .join('\n')
      .trim(),
  }
}

const instead =
  /^(?:please )?(?:replace|change) (?:(?:this|it|that)(?: (?:line|text|sentence|paragraph))? |the (?:lines?|text|sentence|paragraph) )?(?:with|to|by)\b[ \t]{0,9}:?/i
const longestSuggestion = 20_000

/**
 * What a comment suggests in place of its lines: what stands in a block `suggestion`, as git hosts write it, or behind "Replace
 * with". Undefined for a comment that says something else.
 */
export function suggestionIn(body: string): string | undefined {
  const lines = body.slice(0, longestSuggestion).split('\n')
  const start = lines.findIndex((line) => /^[ \t]{0,3}(?:`{3,}|~{3,})[ \t]*suggestion(?![\w-])/.test(line))
  if (start !== -1) {
    const fence = /[`~]+/.exec(lines[start] ?? '')?.[0] ?? ''
    const end = lines.findIndex((line, at) => at > start && line.trim().startsWith(fence))
    return end === -1 ? undefined : lines.slice(start + 1, end).join('\n')
  }
  const opening = instead.exec(body)?.[0]
  if (opening === undefined || body.length > longestSuggestion) return undefined
  const text = body.slice(opening.length).trim()
  const [first = '', last = ''] = [text[0], text.at(-1)]
  const isQuoted = text.length > 2 && ['""', '“”', "''", '‘’', '``'].includes(first + last)
  // One quotation is the text; of several, each is a part of what is said.
  const isWhole = isQuoted && ![first, last].some((sign) => text.slice(1, -1).includes(sign))
  const said = isWhole ? text.slice(1, -1) : text
  return said === '' ? undefined : said
}

const deletesPage =
  /\b(?:delete|remove|drop|erase)\s+(?:this|the)\s+(?:whole\s+|entire\s+)?(?:page|file|document)\b/i

/**
 * What a person said in a prompt. Of a review that are the comments: the paths and the quoted lines are only the places
 * that they are about. "Delete this page" names the page that it stands at.
 */
export function saidIn(prompt: string): string {
  const review = readReview(prompt)
  if (review === undefined) return prompt
  const said = review.remarks.map(({ path, body }) => (deletesPage.test(body) ? `${body} ${path}` : body))
  return [...said, review.remark ?? ''].join('\n\n').trim()
}
