import { asSchema, type ToolSet } from 'ai'

import { estimateTokens } from './compact.ts'
import type { TurnHistory } from './conversation.ts'
import type { Instructions } from './instructions.ts'
import { systemPrompt, type Described } from './system-prompt.ts'

/** Tokens. With fewer, the descriptions of all tools and the notes about a site would leave little room for the work. */
const smallWindow = 24_000

/** What is needed to change pages. Moving, copying and looking back are for models that read more at once. */
const fewTools: ReadonlySet<string> = new Set([
  'search_docs',
  'grep',
  'read_file',
  'edit_file',
  'write_file',
  'add_to_navigation',
  'finish',
])

/** A conflict comes before a new page. */
const toolsForConflicts: ReadonlySet<string> = new Set([
  ...[...fewTools].filter((name) => name !== 'add_to_navigation'),
  'resolve_conflict',
])

/** Shares of the bound of the conversation. */
const mostOfRules = 0.15
const mostOfTemplate = 0.05
const mostOfOpening = 0.12

export type Question = TurnHistory & {
  tools: ToolSet
  instructions: Instructions
  /** Whether a line that looks like a call stands in a file that the turn has changed. */
  isQuoted?: (line: string) => boolean
}

/** A question with everything that stands before its conversation. */
export interface Asked {
  question: Question
  system: string
}

/**
 * The question as a model with such a window can take it: one with a small window gets few tools, and of the house rules
 * and the notes about the site what fits.
 * @param bound tokens of the conversation at most
 */
export function fitQuestion(
  project: Described,
  question: Question,
  window: number | undefined,
  bound: number,
): Asked {
  if (window === undefined || window >= smallWindow)
    return { question, system: systemPrompt(project, question.instructions) }
  const { opening, instructions } = question
  // Where both are there, nothing is in conflict.
  const hasConflicts = 'resolve_conflict' in question.tools && !('copy_page' in question.tools)
  const few = hasConflicts ? toolsForConflicts : fewTools
  const tools = Object.fromEntries(Object.entries(question.tools).filter(([name]) => few.has(name)))
  const { template } = instructions
  const rules = cutAll(instructions.rules, charactersOf(bound * mostOfRules))
  const [form] = template === undefined ? [] : cutAll([template], charactersOf(bound * mostOfTemplate))
  const system = systemPrompt(project, { rules, template: form }, few)
  const shortened = opening === undefined ? undefined : cut(opening, charactersOf(bound * mostOfOpening))
  const overhead = estimateTokens(system) + tokensOfTools(tools)
  return { question: { ...question, tools, opening: shortened, small: { overhead } }, system }
}

// As estimateTokens counts them, for texts in Latin letters.
function charactersOf(tokens: number): number {
  return Math.floor(tokens * 3)
}

function cutAll<File extends { text: string }>(files: readonly File[], most: number): File[] {
  let left = most
  return files.flatMap((file) => {
    if (left <= 0) return []
    const text = cut(file.text, left)
    left -= text.length
    return [{ ...file, text }]
  })
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const beginning = text.slice(0, most)
  return `${beginning.slice(0, Math.max(beginning.lastIndexOf('\n'), most / 2)).toWellFormed()}\n(cut here)`
}

const tokensByTool = new WeakMap<object, number>()

function tokensOfTools(tools: ToolSet): number {
  const sizes = Object.entries(tools).map(([name, tool]) => {
    const known = tokensByTool.get(tool)
    if (known !== undefined) return known
    const schema = asSchema(tool.inputSchema).jsonSchema
    const size = estimateTokens({ name, description: tool.description, schema })
    tokensByTool.set(tool, size)
    return size
  })
  return sizes.reduce((sum, size) => sum + size, 0)
}
