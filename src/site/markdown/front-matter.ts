import { isRecord } from '../../lib/is-record.ts'
import { parse as parseToml } from 'smol-toml'
import { isHostileYaml } from '../../lib/text/hostile-yaml.ts'
import { parseYaml } from '../../lib/text/yaml.ts'

export interface FrontMatter {
  data: Readonly<Record<string, unknown>>
  /** Where the page's body starts, in the text that was given. */
  bodyStart: number
  /** What is wrong with it, when it could only be read in part. */
  problem: string | undefined
}

const maxLength = 64 * 1024
const opening = /^\uFEFF?(---|\+\+\+)[ \t]*\r?\n/
const none: FrontMatter = { data: {}, bodyStart: 0, problem: undefined }

/** Splits YAML (`---`) or TOML (`+++`) front matter from a page. Broken front matter still gives its plain `key: value` lines. */
export function readFrontMatter(text: string): FrontMatter {
  const block = findFrontMatter(text)
  if (!block) return text.startsWith('\uFEFF') ? { ...none, bodyStart: 1 } : none
  const source = text.slice(block.start, block.end).replaceAll('\r\n', '\n')
  return { ...(block.language === 'toml' ? readToml(source) : readYaml(source)), bodyStart: block.bodyStart }
}

/** Front matter as it stands in a page. */
export interface FrontMatterBlock {
  language: 'yaml' | 'toml'
  /** Behind the opening line. */
  start: number
  /** Before the closing line. */
  end: number
  bodyStart: number
}

/** Undefined for a page without front matter, and for front matter that is never closed. */
export function findFrontMatter(text: string): FrontMatterBlock | undefined {
  const opened = opening.exec(text)
  if (!opened) return undefined
  const [{ length: start }, marker = '---'] = opened
  const end = closingLine(text, start, marker)
  return end && { language: marker === '+++' ? 'toml' : 'yaml', start, end: end.at, bodyStart: end.next }
}

function closingLine(text: string, from: number, marker: string): { at: number; next: number } | undefined {
  const limit = Math.min(text.length, from + maxLength)
  let at = from
  while (at < limit) {
    const lineEnd = text.indexOf('\n', at)
    const stop = lineEnd === -1 ? text.length : lineEnd
    const line = text.slice(at, Math.min(stop, at + 8)).trimEnd()
    if (line === marker || (line === '...' && marker === '---')) {
      if (text.slice(at, stop).trimEnd() === line) return { at, next: Math.min(stop + 1, text.length) }
    }
    at = stop + 1
  }
  return undefined
}

function readToml(source: string): { data: Record<string, unknown>; problem: string | undefined } {
  try {
    return { data: parseToml(source), problem: undefined }
  } catch (error) {
    return {
      data: plainLines(source, '='),
      problem: firstLine(error) ?? 'the front matter is not valid TOML',
    }
  }
}

function firstLine(error: unknown): string | undefined {
  return error instanceof Error ? error.message.split('\n', 1)[0] : undefined
}

function readYaml(source: string): { data: Record<string, unknown>; problem: string | undefined } {
  const simple = flatYaml(source)
  if (simple) return { data: simple, problem: undefined }
  if (isHostileYaml(source))
    return {
      data: plainLines(source, ':'),
      problem: 'the front matter contains more tags, anchors or brackets than can be read',
    }
  try {
    const value = parseYaml(source)
    if (isRecord(value)) return { data: value, problem: undefined }
    if (value === null || value === undefined) return { data: {}, problem: undefined }
    return { data: {}, problem: 'the front matter is not a list of keys and values' }
  } catch (error) {
    return {
      data: plainLines(source, ':'),
      problem: firstLine(error) ?? 'the front matter is not valid YAML',
    }
  }
}

const flatLine = /^([A-Za-z_][\w.-]*):[ \t]+(?![ \t])(.+)$/
const plainScalar = /^[A-Za-z0-9/(][^#:{}[\]&*!|>'"%@`]*$/
const quotedScalar = /^(?:"([^"\\]*)"|'([^']*)')$/

/** Most front matter is flat and simple, and a full YAML parser costs more than the rest of the page. */
function flatYaml(source: string): Record<string, unknown> | undefined {
  const data: Record<string, unknown> = Object.create(null)
  for (const line of source.split('\n')) {
    if (line.trim() === '') continue
    const match = flatLine.exec(line.trimEnd())
    const key = match?.[1]
    const raw = match?.[2]
    if (key === undefined || raw === undefined) return undefined
    const quoted = quotedScalar.exec(raw)
    if (quoted) data[key] = quoted[1] ?? quoted[2] ?? ''
    else if (raw === 'true' || raw === 'false') data[key] = raw === 'true'
    else if (/^\d{1,15}$/.test(raw)) data[key] = Number(raw)
    else if (
      plainScalar.test(raw) &&
      !/^(?:null|~|[\d.+-].*|[TF]rue|[TF]alse|TRUE|FALSE|Null|NULL)$/.test(raw)
    ) {
      data[key] = raw
    } else return undefined
  }
  return data
}

function plainLines(source: string, separator: ':' | '='): Record<string, unknown> {
  const data: Record<string, unknown> = Object.create(null)
  for (const line of source.split('\n')) {
    const at = line.indexOf(separator)
    if (at < 1 || at > 64 || !/^[A-Za-z_][\w.-]*\s*$/.test(line.slice(0, at))) continue
    const raw = line.slice(at + 1).trim()
    const quoted = /^(["'])(.*)\1$/.exec(raw)
    const value = quoted?.[2] ?? raw.replace(/^["']/, '')
    if (value === '') continue
    data[line.slice(0, at).trim()] = value === 'true' ? true : value === 'false' ? false : value
  }
  return data
}
