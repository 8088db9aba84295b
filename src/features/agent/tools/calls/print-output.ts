import { isRecord } from '../../../../lib/is-record.ts'

/** For the journal and for code alone. */
const unprinted = new Set(['hash', 'hashes', 'shown', 'edited'])
/** Texts whose every line begins with a number or a sign of ours, so that none can pass for something else. */
const marked = new Set(['content', 'diff'])

/**
 * A tool's output as a model reads it: names and values, lists one item a line, texts as they are. Texts of the repository never
 * begin a line: they stand behind a name, a line number or an indentation.
 */
export function printOutput(output: unknown): string {
  if (!isRecord(output)) return typeof output === 'string' ? output : JSON.stringify(output)
  const { error, ...rest } = output
  if (!isRecord(error)) return printFields(rest)
  const { code, message, ...hints } = error
  const line = `Error (${onLine(code)}): ${onLine(message)}`
  return [line, printFields(hints)].filter((part) => part !== '').join('\n')
}

function printFields(record: Readonly<Record<string, unknown>>): string {
  const short: string[] = []
  const long: string[] = []
  for (const [name, value] of Object.entries(record)) {
    if (isOmitted(name, value)) continue
    if (Array.isArray(value)) long.push(printList(name, value))
    else if (isRecord(value)) long.push(`${name}:\n${indented(printFields(value))}`)
    else if (typeof value === 'string' && marked.has(name)) long.push(`\n${value}`)
    else if (typeof value === 'string' && value.includes('\n')) long.push(`${name}:\n${indented(value)}`)
    else short.push(`${name}: ${onLine(value)}`)
  }
  return [...short, ...long].join('\n').trimStart()
}

function isOmitted(name: string, value: unknown): boolean {
  return (
    unprinted.has(name) || value === undefined || value === null || (name === 'truncated' && value === false)
  )
}

function printList(name: string, items: readonly unknown[]): string {
  if (items.length === 0) return `${name}: none`
  const lines = items.map((item) => (isRecord(item) ? printItem(item) : onLine(item)))
  return `${name}:\n${indented(lines.join('\n'))}`
}

/** `path:line: text`, or `path: name: value; name: value`, with longer texts below. */
function printItem({ path, line, ...rest }: Readonly<Record<string, unknown>>): string {
  const place = [path, line].filter((part) => part !== undefined && part !== null).map(onLine)
  const fields = Object.entries(rest).filter(([name, value]) => !isOmitted(name, value))
  const [only] = fields
  const isLong = (value: unknown) => typeof value === 'string' && value.includes('\n')
  const short = fields.filter(([, value]) => !isLong(value))
  const texts =
    fields.length === 1 && typeof only?.[1] === 'string'
      ? short.map(([, value]) => onLine(value))
      : short.map(([name, value]) => (value === true ? name : `${name}: ${inItem(value)}`))
  const first = [place.join(':'), texts.join('; ')].filter((part) => part !== '').join(': ')
  const below = fields.filter(([, value]) => isLong(value)).map(([, value]) => indented(String(value)))
  return [first, ...below].join('\n')
}

function inItem(value: unknown): string {
  if (!Array.isArray(value)) return onLine(value)
  return value.length === 0 ? 'none' : value.map(inItem).join(', ')
}

function onLine(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value) ?? ''
  return /[\n\r\u2028\u2029]/.test(value) ? JSON.stringify(value) : value
}

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? line : `  ${line}`))
    .join('\n')
}
