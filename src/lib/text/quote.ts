/** A name or a short text of a stranger, as messages show it: in double quotes, on one line, cut at 200 characters. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text)
}
