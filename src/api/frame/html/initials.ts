/** Of the first and the last word of a name, in capitals. */
export function initials(name: string): string {
  const words = name
    .replace(/^The /, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  const text = letters.map((word) => /^./u.exec(word ?? '')?.[0] ?? '').join('')
  return text === '' ? '?' : text.toUpperCase()
}
