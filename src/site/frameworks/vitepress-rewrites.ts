/** Where VitePress serves a file, by the `rewrites` of its configuration: `en/:rest*` to `:rest*`. Paths are in the source folder. */
export function createRewrites(
  rules: readonly (readonly [from: string, to: string])[],
): (inside: string) => string {
  const known = rules.slice(0, 200)
  return (inside) => {
    for (const [from, to] of known) {
      const found = match(from.split('/'), inside.split('/'))
      if (found !== undefined) return filled(to, found)
    }
    return inside
  }
}

/** What the parameters of a pattern stand for; undefined where it does not fit or holds more than plain parameters. */
function match(pattern: readonly string[], path: readonly string[]): Map<string, string> | undefined {
  const found = new Map<string, string>()
  for (const [index, part] of pattern.entries()) {
    const [, name, many] = /^:(\w+)([*+])?$/.exec(part) ?? []
    if (name !== undefined && many !== undefined && index === pattern.length - 1) {
      const rest = path.slice(index)
      return rest.length > 0 || many === '*' ? found.set(name, rest.join('/')) : undefined
    }
    const actual = path[index]
    if (actual === undefined) return undefined
    if (name !== undefined && many === undefined) found.set(name, actual)
    else if (part !== actual && !fits(part, actual, found)) return undefined
  }
  return path.length === pattern.length ? found : undefined
}

/** `:name.md` */
function fits(part: string, actual: string, found: Map<string, string>): boolean {
  const [, name, ending = ''] = /^:(\w+)(\.\w+)$/.exec(part) ?? []
  if (name === undefined || !actual.endsWith(ending) || actual.length === ending.length) return false
  found.set(name, actual.slice(0, -ending.length))
  return true
}

function filled(to: string, found: ReadonlyMap<string, string>): string {
  return to.replace(/:(\w+)[*+]?/g, (whole, name: string) => found.get(name) ?? whole)
}
