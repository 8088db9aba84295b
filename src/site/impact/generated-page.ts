/** Whether a page says that a program makes it. */
export function isGeneratedPage(text: string): boolean {
  return /\b(?:auto-?)?generated (?:by|from|file|automatically|docs|documentation)\b|\bdo not edit\b|@generated\b/i.test(
    text.slice(0, 1500),
  )
}
