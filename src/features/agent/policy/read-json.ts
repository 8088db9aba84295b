import { parse, visit } from 'jsonc-parser'

/** JSON with comments and commas too many; undefined for what is nested too deep or no JSON at all. */
export function readJson(text: string): unknown {
  try {
    const value: unknown = parse(text, [], { allowTrailingComma: true })
    return value
  } catch {
    return undefined
  }
}

/** Whether an object has two fields of one name: which of them counts depends on who reads it. */
export function hasTwins(text: string): boolean {
  const open: Set<string>[] = []
  let found = false
  try {
    visit(text, {
      onObjectBegin: () => {
        open.push(new Set())
      },
      onObjectProperty: (name) => {
        found ||= open.at(-1)?.has(name) === true
        open.at(-1)?.add(name)
      },
      onObjectEnd: () => {
        open.pop()
      },
    })
  } catch {
    return true
  }
  return found
}
