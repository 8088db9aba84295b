/** What somebody asks who pastes a log, a stack trace or the output of a command, and what they pasted beside it. */
export interface PastedText {
  /** Their own words, the command, and the lines that say what went wrong. The whole text where nothing was pasted. */
  asked: string
  /** Everything else, which only says what it is about. */
  rest: string
}

const longestQuestion = 600
const mostRead = 40_000
const mostLines = 400
/** Lines that say what went wrong, and characters of each. */
const mostTroubles = 4
const longestLine = 240
/** Lines of their own that people write before and after what they paste. */
const ownLines = 2

const trouble =
  /\b(?:error|err|fatal|panic|exception|failed|failure|denied|refused|forbidden|unauthori[sz]ed|cannot|could not|unable|invalid|not found|timed out|unknown|undefined)\b/i
/** Names and codes of errors, and words of programs that end: they count more than words that a log has on every line. */
const named =
  /\b\p{Lu}\w*(?:Error|Exception)\b|\bE[A-Z]{3,}\b|\b[A-Z]{1,8}[-_]?\d{3,6}\b|\b(?:fatal|panic)\b/u
const command = /^(?:[$>%#]|PS [^>]*>|\w+@[\w.-]+[:~][^$#]*[$#])\s+(?=\S)/
const frame = /^(?:at\s|File ".*", line \d|#\d+\s|\.\.\. \d+ more|goroutine \d|\d+:\s+0x)/
/** What differs each time a program runs: dates, times, numbers of processes, addresses in memory, ids. */
const passing =
  /\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?)?|\b\d\d:\d\d:\d\d(?:[.,]\d+)?|\b0x[\da-f]+\b|\b[\da-f]{8}-[\da-f-]{27}\b|\b\d{5,}\b|\[\s*\d+(?:\.\d+)?\]/giu
/** A sentence: words, and hardly anything that programs write. */
const sentence = /^\p{L}[\p{L}\p{N}\p{M}\s,;:.!?'’"“”()-]*$/u
const level = /^\W*(?:info|debug|warn|warning|trace|notice|verbose|error|err|fatal)\b/i

/** What a message has that documentation repeats as it is. */
const codes =
  /\b\p{Lu}\w*(?:Error|Exception)\b|\b[A-Z][A-Z\d]{0,30}(?:_[A-Z\d]{1,30}){1,8}\b|\bE[A-Z]{3,}\b|\b[A-Z]{1,8}[-_]?\d{3,6}\b|\b\w+(?:::\w+)+|(?<="(?:code|error|type|name)"\s?:\s?")[\w.-]+(?=")/gu
const mostCodes = 4
/** With what a text begins that a program wrote. */
const written =
  /^\W{0,5}(?:[\w.]{1,40}\s)?(?:fatal|error|err|panic|panicked|exception)\b|^\W?\d{4}[-/]\d\d|^\w{1,40}="|^[{[]\s?"|^HTTP\//i
const address = /https?:\/\/[^\s"'<>(),]{1,300}/g
/** The last step or the fragment of an address, where that is a name of several words: programs link to what they say. */
const severalWords = /^[A-Za-z\d]{1,40}(?:[-_][A-Za-z\d]{1,40}){1,9}$/

/**
 * The codes and names of errors in a text, each once.
 * @param whole what it was chosen from, of which the addresses count
 */
export function errorCodesIn(text: string, whole = text): string[] {
  const read = text.slice(0, mostRead)
  // The command that a message names is what to run.
  const marked = [...read.matchAll(/`([\w.-]+ [^`\n]{1,80})`/g)].map(([, code = '']) => code)
  const steps = [...whole.slice(0, mostRead).matchAll(address)].map(
    ([one]) => one.replace(/[/.]$/, '').split(/[/#]/).at(-1) ?? '',
  )
  const links = steps.filter((step) => severalWords.test(step))
  return [...new Set([...[...read.matchAll(codes)].map(([code]) => code), ...links, ...marked])]
    .filter((code) => code.length <= 80)
    .slice(0, mostCodes)
}

/** Whether a text of few lines is what a program wrote, and not a question. */
export function isErrorMessage(text: string): boolean {
  if (text.includes('?') || text.length > longestQuestion) return false
  // A command with what it printed.
  if (command.test(text) && text.trim().includes('\n')) return true
  const [code] = errorCodesIn(text)
  if (code !== undefined && text.trim().startsWith(code)) return true
  if (isWritten(text) && text.split('\n').some(isTrouble)) return true
  return /error|exception|fatal|panic/i.test(text) && /:\s|":/.test(text)
}

/** Whether a text begins as programs do: with a level, a time, a command, data. */
export function isWritten(text: string): boolean {
  return command.test(text) || written.test(text.trim())
}

/** Whether a line says what went wrong. */
export function isTrouble(line: string): boolean {
  return !frame.test(line) && (trouble.test(line) || named.test(line))
}

/** Finds the question in a text of several lines. Takes linear time. */
export function readPasted(text: string): PastedText {
  const lines = text
    .slice(0, mostRead)
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:`{3,}|~{3,})/.test(line))
    .slice(0, mostLines)
  if (lines.length < 3 || (text.length <= longestQuestion && lines.every(isProse)))
    return { asked: text, rest: '' }
  const chosen = new Set<number>()
  for (const at of [...lines.keys()].filter((at) => at < ownLines || at >= lines.length - ownLines))
    if (isOwn(lines[at] ?? '')) chosen.add(at)
  const commanded = lines.findIndex((line) => command.test(line))
  if (commanded >= 0) chosen.add(commanded)
  for (const at of [...troublesIn(lines), ...saidBy(lines, commanded), ...meantBy(lines, chosen)])
    chosen.add(at)
  if (chosen.size === 0) return { asked: text, rest: '' }
  const cleaned = (line: string): string =>
    line.replace(command, '').replaceAll(passing, ' ').replaceAll(/\s+/g, ' ').trim().slice(0, longestLine)
  return {
    asked: [...chosen]
      .sort((a, b) => a - b)
      .map((at) => cleaned(lines[at] ?? ''))
      .join('\n')
      .slice(0, longestQuestion * 2),
    rest: lines.filter((_, at) => !chosen.has(at)).join('\n'),
  }
}

/** The first lines that say what went wrong, each once, those with a name or code of it before others. */
function troublesIn(lines: readonly string[]): number[] {
  const seen = new Set<string>()
  const troubles = [...lines.keys()].filter((at) => {
    const line = lines[at] ?? ''
    if (!isTrouble(line)) return false
    const key = line.replaceAll(passing, '').replaceAll(/\d+/g, '')
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
  const certain = troubles.filter((at) => named.test(lines[at] ?? ''))
  return [...certain, ...troubles.filter((at) => !certain.includes(at))].slice(0, mostTroubles)
}

/** What a command says under its own name, as programs do: `tar: no such file`. */
function saidBy(lines: readonly string[], commanded: number): number[] {
  const name = (lines[commanded] ?? '').replace(command, '').split(/\s/, 1)[0] ?? ''
  if (commanded < 0 || name === '') return []
  return [...lines.keys()].filter((at) => lines[at]?.startsWith(`${name}: `)).slice(0, mostTroubles)
}

/** The lines of what is pasted that have a word of the question: of a configuration, the setting that is meant. */
function meantBy(lines: readonly string[], own: ReadonlySet<number>): number[] {
  const wordsIn = (line: string): string[] =>
    [...line.matchAll(/\p{L}{4,}/gu)]
      .flatMap(([word]) => word.split(/(?<=\p{Ll})(?=\p{Lu})/u))
      .map((word) => word.toLowerCase())
  const ownWords = new Set([...own].flatMap((at) => (isOwn(lines[at] ?? '') ? wordsIn(lines[at] ?? '') : [])))
  const meant = [...lines.keys()].filter(
    (at) =>
      !own.has(at) &&
      /^[\w."'-]+\s*[:=]/.test(lines[at] ?? '') &&
      wordsIn((lines[at] ?? '').split(/[:=]/, 1)[0] ?? '').some((word) => ownWords.has(word)),
  )
  return meant.length > mostTroubles ? [] : meant
}

/** Whether a line is the reader's: a sentence, or a question about a name. */
function isOwn(line: string): boolean {
  return isSentence(line) || (line.includes(' ') && /^\p{L}[^{}=;<>]*\?$/u.test(line) && !trouble.test(line))
}

function isSentence(line: string): boolean {
  return isProse(line) && (line.match(/\s/g)?.length ?? 0) >= 3
}

function isProse(line: string): boolean {
  return sentence.test(line) && !level.test(line) && !frame.test(line)
}
