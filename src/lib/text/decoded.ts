/** A part of an address without its escapes, or as it is where they are none. */
export function decoded(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
