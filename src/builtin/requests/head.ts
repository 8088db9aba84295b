/** A request's own words end here; what is longer was not written as one (texts to add come on top). */
const longestHead = 600

/** The part of a request that a grammar reads, on one line; undefined when it cannot be a request's words. */
export function headOf(piece: string): string | undefined {
  const head = piece
    .slice(0, 4 * longestHead)
    .replace(/\s+/g, ' ')
    .trim()
  return head.length > 0 && head.length <= longestHead ? head : undefined
}

/** "In the quickstart page, replace …" says the place first. */
export function leadScopeLast(head: string): string {
  const lead =
    /^((?:in|on|across|throughout|within|under|inside|for)\s+[^,:]{1,200}|everywhere)[,:]\s*(.+)$/i.exec(head)
  return lead?.[1] === undefined || lead[2] === undefined ? head : `${lead[2]} ${lead[1]}`
}

export function firstMatch(forms: readonly RegExp[], head: string): RegExpExecArray | undefined {
  for (const form of forms) {
    const found = form.exec(head)
    if (found) return found
  }
  return undefined
}

export function isQuotation(piece: string): boolean {
  return /^\uE000\d+\uE001$/.test(piece.trim())
}
