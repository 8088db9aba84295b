/** `1 page`, `1,200 pages`; `1 person`, `2 people` */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : several}`
}

/** The same with words whose first one is a plural: `2 links to other sites`, `1 link to other sites`. */
export function countedPlural(count: number, words: string): string {
  return counted(count, words.replace(/^(\w+)s\b/, '$1'), words)
}
