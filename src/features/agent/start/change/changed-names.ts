/** A name that a change has changed. */
export interface ChangedName {
  /** Its words in small letters, which all its spellings have in common: `max retries`. */
  key: string
  /** As the code spells it. */
  name: string
  change: 'removed' | 'new' | 'changed'
}

const mostLines = 20_000
const longestLine = 1000
const mostNames = 2000

/**
 * The names in the changed lines of a unified diff. A word alone counts only where code defines, sets or quotes it, because
 * prose is full of such words.
 */
export function changedNames(diff: string): ChangedName[] {
  const names = new Map<string, { name: string; isOld: boolean; isNew: boolean }>()
  const beside = new Set<string>()
  for (const line of diff.split('\n', mostLines)) {
    const isNew = line.startsWith('+') && !line.startsWith('+++ ')
    // What stands beside the change was there before.
    if (line.startsWith(' ')) for (const name of namesIn(line.slice(1, longestLine))) beside.add(keyOf(name))
    if (!isNew && !(line.startsWith('-') && !line.startsWith('--- '))) continue
    for (const name of namesIn(line.slice(1, longestLine))) {
      const key = keyOf(name)
      const known = names.get(key)
      if (known === undefined && names.size >= mostNames) continue
      names.set(key, {
        name: known?.name ?? name,
        isOld: known?.isOld === true || !isNew,
        isNew: known?.isNew === true || isNew,
      })
    }
  }
  return [...names].map(([key, { name, isOld, isNew }]) => ({
    key,
    name,
    change: isNew && (isOld || beside.has(key)) ? 'changed' : isOld ? 'removed' : 'new',
  }))
}

/** Of identifiers, options and words of prose. */
export const token = /-{0,2}[A-Za-z_$][\w$]*(?:-[\w$]+)*/g

/** `max retries` of `maxRetries`, `MAX_RETRIES` and `--max-retries`. */
export function keyOf(name: string): string {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[\s_$-]+/)
    .filter((word) => word !== '')
    .join(' ')
    .toLowerCase()
}

function namesIn(line: string): string[] {
  const alone = new Set(
    Array.from(line.matchAll(marked), ([, ...groups]) => groups.find((one) => one !== undefined)),
  )
  return Array.from(line.matchAll(token), ([name]) => name).filter((name) => {
    const key = keyOf(name)
    if (key.length < 4) return false
    return key.includes(' ') || name.startsWith('--') || alone.has(name)
  })
}

/** Words that are quoted, defined or set. */
const marked =
  /["'`]([A-Za-z_][\w-]{2,60})["'`]|\b(?:def|func|function|fn|class|interface|struct|enum|trait|type|module)\s+(\w{3,60})|^\s{0,40}["']?(?!(?:else|try|finally|default|except|begin|then)\b)([A-Za-z_][\w-]{2,60})["']?\??\s{0,5}[:=](?!=)/g
