const longest = 100_000
const mostOccurrences = 50

/** What stands before the name of a tool, and around its input, where models write calls as JSON or in tags. */
const nameKeys =
  /["'](?:name|function|tool|tool_name|function_name|action|recipient_name)\\?["']\s{0,9}:\s{0,9}\\?["'](?:functions\.)?$/
const inputKeys = /["'](?:arguments|parameters|input|args|params|action_input|tool_input)\\?["']\s{0,9}:/
const tagBefore = /<(?:function=|(?:[\w:-]{1,20}\s)?(?:[\w:-]{1,40}\s)?name=)["']?$/
const signs = [
  '<tool_call',
  '<|tool_call',
  '<｜tool▁call',
  '[TOOL_CALL',
  '<function_call',
  '<tool_use',
  '<|python_tag|>',
  'to=functions.',
]
const lineStart = /^\s{0,20}(?:print\()?(?:await )?(?:functions\.|default_api\.|tools\.)?$/

/**
 * The line in which a model has written a call of one of its tools as text, in whatever place: as JSON, in tags or
 * as a function call. Undefined for a text that only mentions tools, and for lines of a quotation.
 */
export function findWrittenCall(text: string, tools: readonly string[]): string | undefined {
  const plain = text.slice(0, longest)
  for (const tool of tools) {
    let at = plain.indexOf(tool)
    for (let count = 0; at !== -1 && count < mostOccurrences; count++) {
      if (isCall(plain, at, tool)) {
        const line = lineAt(plain, at)
        if (!line.trimStart().startsWith('>')) return line
      }
      at = plain.indexOf(tool, at + tool.length)
    }
  }
  // A whole answer in such a format is a call, even of a tool that does not exist.
  const start = plain.trimStart()
  return signs.some((sign) => start.startsWith(sign)) || start.startsWith('<function=')
    ? start.slice(0, 200)
    : undefined
}

function isCall(text: string, at: number, tool: string): boolean {
  const before = text.slice(Math.max(0, at - 300), at)
  const after = text.slice(at + tool.length, at + tool.length + 300)
  if (/[\w-]$/.test(before) || /^[\w-]/.test(after)) return false
  if (nameKeys.test(before))
    return /^\\?["']/.test(after) && inputKeys.test(`${before.slice(0, -1)}\n${after}`)
  if (tagBefore.test(before)) return /^["']?\s{0,9}>/.test(after)
  if (before.endsWith('<') && /^\s{0,9}>/.test(after)) return text.includes(`</${tool}>`, at)
  if (signs.some((sign) => before.slice(-100).includes(sign))) return true
  const line = before.slice(before.lastIndexOf('\n') + 1)
  if (/^\s{0,20}Action:\s{0,9}$/.test(line)) return /^\s{0,9}\n\s{0,9}Action Input:/.test(after)
  return lineStart.test(line) && /^\(\s{0,9}(?:\{|\w{1,40}\s{0,3}=)/.test(after)
}

function lineAt(text: string, at: number): string {
  const end = text.indexOf('\n', at)
  return text.slice(text.lastIndexOf('\n', at) + 1, end === -1 ? text.length : end)
}
