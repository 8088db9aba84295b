/** A file that a page needs, as it is written there. */
export interface Reference {
  line: number
  text: string
  /** Paths of the repository that it may mean: one of them has to be there. */
  candidates: readonly string[]
  /** Whether endings such as `.ts` may be left out. */
  isCode: boolean
}

const endings = [
  'mdx',
  'md',
  'ts',
  'tsx',
  'js',
  'jsx',
  'mjs',
  'cjs',
  'mts',
  'cts',
  'json',
  'vue',
  'svelte',
  'astro',
  'css',
]

export function isThere(files: ReadonlyMap<string, string>, { candidates, isCode }: Reference): boolean {
  return candidates.some((path) => {
    if (files.has(path)) return true
    if (!isCode) return false
    const bare = path.replace(/\/$/, '')
    // TypeScript is imported by the name of what it becomes.
    const source = bare.replace(/\.([cm]?)js(x?)$/, '.$1ts$2')
    return (
      files.has(source) ||
      files.has(`${source}x`) ||
      endings.some((ending) => files.has(`${bare}.${ending}`) || files.has(`${bare}/index.${ending}`)) ||
      files.has(`${bare}/package.json`)
    )
  })
}

/** A line without its inline code. */
export function withoutCode(text: string): string {
  if (!text.includes('`')) return text
  const runs = [...text.matchAll(/`+/g)].map(({ 0: run, index }) => ({ index, length: run.length }))
  const closings = new Map<number, number>()
  const pairs = new Map<number, number>()
  for (const { index, length } of runs.toReversed()) {
    pairs.set(index, closings.get(length) ?? -1)
    closings.set(length, index)
  }
  let plain = ''
  let from = 0
  for (const { index, length } of runs) {
    const closing = pairs.get(index) ?? -1
    if (index < from || closing === -1) continue
    plain += text.slice(from, index)
    from = closing + length
  }
  return plain + text.slice(from)
}
