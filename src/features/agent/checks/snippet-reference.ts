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

export function withoutCode(text: string): string {
  return text.replace(/(`+)(?:(?!\1).)+\1/g, '')
}
