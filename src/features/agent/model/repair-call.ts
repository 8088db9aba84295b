import type { ToolCallRepairFunction, ToolSet } from 'ai'

/**
 * Mends what small models get wrong about a call as a whole: line breaks inside of JSON texts, a comma too many, a fence around it, and a tool's
 * name in another form. A call that was cut off stays broken.
 */
export const repairCall: ToolCallRepairFunction<ToolSet> = ({ toolCall, tools }) => {
  const toolName = Object.hasOwn(tools, toolCall.toolName)
    ? toolCall.toolName
    : Object.keys(tools).find((name) => plainName(name) === plainName(toolCall.toolName))
  const input = readable(toolCall.input)
  const isSame = toolName === toolCall.toolName && input === toolCall.input
  return Promise.resolve(
    toolName === undefined || input === undefined || isSame ? null : { ...toolCall, toolName, input },
  )
}

// Some models put a prefix before it: `functions.read_file`, `default_api:read_file`.
function plainName(name: string): string {
  const own = name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf(':'), name.lastIndexOf('/')) + 1)
  return own.toLowerCase().replaceAll(/[_\-\s]/g, '')
}

/** The text, or a mended one, if it can be read as JSON. */
function readable(text: string): string | undefined {
  for (const candidate of [text, mended(text)]) {
    try {
      JSON.parse(candidate)
      return candidate
    } catch {
      // The next one.
    }
  }
  return undefined
}

const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function mended(text: string): string {
  const start = text.indexOf('{')
  const end = text.lastIndexOf('}') + 1
  const parts: string[] = []
  let isInside = false
  let comma = -1
  for (let at = Math.max(0, start); at < end; at++) {
    const character = text.charAt(at)
    if (isInside && character === '\\') parts.push(character + text.charAt(++at))
    else if (isInside) {
      isInside = character !== '"'
      parts.push(character < ' ' ? (escapes[character] ?? ' ') : character)
    } else {
      if (character === '}' || character === ']') {
        if (comma !== -1) parts[comma] = ''
      }
      if (character === ',') comma = parts.length
      else if (character.trim() !== '') comma = -1
      isInside = character === '"'
      parts.push(character)
    }
  }
  return parts.join('')
}
