import { asSchema, type ToolSet } from 'ai'
import { isRecord } from '../../../lib/is-record.ts'
import { parseCalls } from '../../../lib/text/parse-calls.ts'
import { findWrittenCall } from './find-written-call.ts'

/** Calls that a model wrote into its text, and the words before them. */
export interface WrittenCalls {
  lead: string
  calls: { name: string; input: unknown }[]
}

const limits = { longest: 400_000, most: 50 }

/**
 * The calls that an answer without any holds as text, as servers hand them on that read none. Undefined where one of them is
 * not clear: of another tool, or without an argument that it needs.
 */
export function readWrittenCalls(
  text: string,
  { tools, isQuoted }: { tools: ToolSet; isQuoted?: (line: string) => boolean },
): WrittenCalls | undefined {
  const names = Object.keys(tools)
  const line = findWrittenCall(text, names)
  if (line === undefined || isQuoted?.(line) === true) return undefined
  const at = text.indexOf(line)
  // A fence or a tag on the line before belongs to the call.
  const lead = text.slice(0, at).replace(/(?:```[\w-]{0,20}|~~~[\w-]{0,20}|<[|\w-]{1,40}>)\s{0,20}$/, '')
  const written = parseCalls(text.slice(lead.length), names, limits)
  const calls = written.flatMap(({ name, input }) => {
    const tool = tools[name]
    const value = tool && meant(tool, input)
    return value === undefined ? [] : [{ name, input: value }]
  })
  return calls.length === 0 || calls.length < written.length ? undefined : { lead: lead.trim(), calls }
}

function meant(tool: ToolSet[string], input: Record<string, unknown>): unknown {
  const schema = asSchema(tool.inputSchema)
  const result = schema.validate?.(input)
  // Ours answer at once.
  const value =
    result !== undefined && 'success' in result ? (result.success ? result.value : undefined) : input
  if (!isRecord(value)) return undefined
  const { jsonSchema } = schema
  const required = 'required' in jsonSchema && Array.isArray(jsonSchema.required) ? jsonSchema.required : []
  return required.every((name: string) => name in value) ? value : undefined
}
