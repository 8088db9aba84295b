import { LineCounter, isMap, isScalar, isSeq, type Document } from 'yaml'
import type { z } from 'zod'
import { isRecord } from '../../../lib/is-record.ts'
import { isHostileYaml } from '../../../lib/text/hostile-yaml.ts'
import { sentenceOf } from '../../../lib/text/issue-sentence.ts'
import { withoutHidden } from '../../../lib/text/plain-text.ts'
import { parseYamlDocuments, valueOfYaml } from '../../../lib/text/yaml.ts'
import { findFrontMatter } from '../../../site/markdown/front-matter.ts'
import type { PresetName } from './preset-names.ts'
import { presets } from './presets.ts'
import { longestInstructions, ruleFields, type Rule } from './rule.ts'

export const longestRule = 40_000
const longestFrontMatter = 10_000
const mostProblems = 20

/** A rule as it was written, or why it is none. */
export interface ReadRule {
  /** As far as it can be read. */
  name: string | undefined
  rule: Rule | undefined
  /** Each names its line. */
  problems: string[]
  /** What is not used here; the rule works without. */
  notes: string[]
}

/**
 * Reads the text of a rule: front matter, and instructions below it. Never throws on any text.
 * @param origin whose words the front matter uses
 */
export function readRule(text: string, origin: 'docwright' | 'mintlify' = 'docwright'): ReadRule {
  if (text.length > longestRule)
    return failed(undefined, [
      `line 1: the rule is longer than ${longestRule.toLocaleString('en')} characters`,
    ])
  const block = findFrontMatter(text)
  if (block === undefined || block.language !== 'yaml')
    return failed(undefined, ['line 1: the rule must begin with front matter between two lines of ---'])
  const source = text.slice(block.start, block.end)
  if (source.length > longestFrontMatter || isHostileYaml(source))
    return failed(undefined, ['line 2: the front matter is too long or too deep'])
  const counter = new LineCounter()
  const [document, second] = parseYamlDocuments(source, counter)
  // The opening line of the front matter is line 1.
  const lineAt = (offset: number): number => counter.linePos(offset).line + 1
  const [broken] = document?.errors ?? []
  if (broken !== undefined)
    return failed(undefined, [`line ${lineAt(broken.pos[0])}: ${broken.message.split('\n', 1)[0]}`])
  if (document === undefined || second !== undefined || !isMap(document.contents))
    return failed(undefined, ['line 2: the front matter must be fields such as name: and on:'])
  const value = valueOf(document)
  if (!isRecord(value)) return failed(undefined, ['line 2: the front matter cannot be read'])
  const { fields, notes } = origin === 'mintlify' ? fromMintlify(value) : { fields: value, notes: [] }
  const name = typeof fields['name'] === 'string' ? fields['name'].trim().slice(0, 100) : undefined
  const parsed = ruleFields.safeParse(fields)
  if (!parsed.success) return failed(name, problemsOf(parsed.error, document, lineAt))
  const { data } = parsed
  const written = withoutHidden(text.slice(block.bodyStart)).trim()
  const instructions = instructionsOf(data.type, written)
  const bodyLine = text.slice(0, block.bodyStart).split('\n').length
  if (instructions === '')
    return failed(name, [
      `line ${bodyLine}: write below the front matter what the agent shall do, or name a type`,
    ])
  if (instructions.length > longestInstructions)
    return failed(name, [
      `line ${bodyLine}: the instructions are longer than ${longestInstructions.toLocaleString('en')} characters`,
    ])
  return {
    name,
    rule: { ...data, instructions },
    problems: [],
    notes: notes.map((key) => noteOf(key, document, lineAt)),
  }
}

/** The words of a rule say what is special about it; its type says what the work is. */
function instructionsOf(type: PresetName | undefined, written: string): string {
  if (type === undefined) return written
  const { instructions, isWhole } = presets[type]
  if (written === '') return instructions
  return isWhole === true || written.includes(instructions) ? written : `${instructions}\n\n${written}`
}

function failed(name: string | undefined, problems: string[]): ReadRule {
  return {
    name,
    rule: undefined,
    problems: problems.map((one) => one.slice(0, 500).toWellFormed()),
    notes: [],
  }
}

function valueOf(document: Document.Parsed): unknown {
  try {
    return valueOfYaml(document)
  } catch {
    return undefined
  }
}

function problemsOf(
  error: z.core.$ZodError,
  document: Document.Parsed,
  lineAt: (offset: number) => number,
): string[] {
  return error.issues.slice(0, mostProblems).flatMap((issue) => {
    const path = writtenPath(document, issue.path)
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map(
        (key) =>
          `line ${lineOf(document, [...path, key], lineAt)}: \`${[...path, key].join('.').slice(0, 100)}\` is not a field of rules`,
      )
    const sentence = sentenceOf({ ...issue, path }, (field) => (field === '' ? 'the rule' : `\`${field}\``))
    return [`line ${lineOf(document, path, lineAt)}: ${sentence}`]
  })
}

function noteOf(key: string, document: Document.Parsed, lineAt: (offset: number) => number): string {
  return `line ${lineOf(document, [key], lineAt)}: \`${key}\` is not used here`
}

/** A list of one may be written as its item. */
function writtenPath(document: Document.Parsed, path: readonly PropertyKey[]): (string | number)[] {
  const written: (string | number)[] = []
  for (const part of path) {
    const parent: unknown = written.length === 0 ? document.contents : document.getIn(written, true)
    if (typeof part !== 'number' || isSeq(parent))
      written.push(typeof part === 'number' ? part : String(part))
  }
  return written
}

/** The line of a field, or of the nearest one around it. */
function lineOf(
  document: Document.Parsed,
  path: readonly (string | number)[],
  lineAt: (offset: number) => number,
): number {
  for (let length = path.length; length > 0; length--) {
    const key = path[length - 1]
    const parent: unknown = length === 1 ? document.contents : document.getIn(path.slice(0, length - 1), true)
    const pair = isMap(parent)
      ? parent.items.find((item) => isScalar(item.key) && String(item.key.value) === String(key))
      : undefined
    const node: unknown = pair?.key ?? document.getIn(path.slice(0, length), true)
    const start = offsetOf(node)
    if (start !== undefined) return lineAt(start)
  }
  return 2
}

function offsetOf(node: unknown): number | undefined {
  const range: unknown = isRecord(node) ? node['range'] : undefined
  const [start]: unknown[] = Array.isArray(range) ? range : []
  return typeof start === 'number' ? start : undefined
}

const mintlifyOnly = ['notify']

/** The words of Mintlify's workflows in those of rules. What has no counterpart is noted. */
function fromMintlify(value: Record<string, unknown>): { fields: Record<string, unknown>; notes: string[] } {
  const { on, context, ...others } = value
  const notes = mintlifyOnly.filter((key) => Object.hasOwn(others, key) && others[key] !== false)
  const fields: Record<string, unknown> = Object.fromEntries(
    Object.entries(others).filter(([key]) => !mintlifyOnly.includes(key)),
  )
  if (isRecord(on)) {
    const { cron, ...more } = on
    fields['on'] = cron === undefined ? more : { ...more, schedule: cron }
  } else if (on !== undefined) fields['on'] = on
  if (Array.isArray(context))
    fields['context'] = context.map((one: unknown) => (isRecord(one) && 'repo' in one ? one['repo'] : one))
  else if (context !== undefined) fields['context'] = context
  return { fields, notes }
}
