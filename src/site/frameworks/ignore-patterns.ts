import picomatch from 'picomatch'

/** A test made of `.gitignore` lines, for paths relative to the folder of the file that holds them. */
export function ignorePatterns(source: string): (path: string) => boolean {
  const rules: { keep: boolean; matches: (path: string) => boolean }[] = []
  for (const line of source.split(/\r?\n/).slice(0, 1000)) {
    const pattern = line.trim()
    if (pattern === '' || pattern.startsWith('#') || pattern.length > 500) continue
    const keep = pattern.startsWith('!')
    const bare = pattern.slice(keep ? 1 : 0)
    const anchored = bare.replace(/\/$/, '').includes('/')
    const glob = `${anchored ? '' : '**/'}${bare.replace(/^\//, '').replace(/\/$/, '')}`
    const globs = bare.endsWith('/') ? [`${glob}/**`] : [glob, `${glob}/**`]
    rules.push({ keep, matches: picomatch(globs, { dot: true }) })
  }
  return (path) => {
    let ignored = false
    for (const rule of rules) if (ignored === rule.keep && rule.matches(path)) ignored = !rule.keep
    return ignored
  }
}
