/** A number before words whose first one is a plural: `2 links to other sites`, `1 link to other sites`. */
export function numbered(count: number, words: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? words.replace(/^(\w+)s\b/, '$1') : words}`
}
