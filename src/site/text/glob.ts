import { ToolError } from '../../lib/tool-error.ts'

const maxAlternatives = 64
const maxSteps = 50_000_000
const maxStepsOfPath = 1_000_000
const longestPath = 4096

/**
 * Matches paths against a glob of `*`, `**`, `?`, `[a-z]` and `{a,b}` in time linear in both: globs come from models.
 * One without a slash matches names in every folder.
 * @throws ToolError `invalid` for one that is too long or has too many alternatives
 */
export function createGlob(glob: string): (path: string) => boolean {
  if (glob.length > 1000) throw new ToolError('invalid', 'The glob is longer than 1,000 characters')
  const plain = glob.replace(/^\.?\//, '')
  const anchored = plain.includes('/') ? plain : `**/${plain}`
  const patterns = alternatives(anchored).map((text) => tokensOf(text))
  const budget = { steps: maxSteps }
  return (path) =>
    patterns.some((tokens) => {
      const isMatch = matches(tokens, path, budget)
      if (isMatch === undefined) throw new ToolError('invalid', 'The glob takes too long: make it simpler')
      return isMatch
    })
}

/**
 * Matches whole paths against a pattern of a configuration file, in time linear in both: braces are themselves, and a
 * backslash makes the next character itself. Nothing matches where the path is longer than git has them, the pattern
 * is longer than 1,000 characters, or both together take too long.
 */
export function createPattern(pattern: string): (path: string) => boolean {
  if (pattern.length > 1000) return () => false
  const tokens = tokensOf(pattern, { escapes: true })
  return (path) => path.length <= longestPath && matches(tokens, path, { steps: maxStepsOfPath }) === true
}

/** Whether any of some globs matches. */
export function anyGlob(globs: readonly string[]): (path: string) => boolean {
  const tests = globs.map(createGlob)
  return (path) => tests.some((test) => test(path))
}

/** The folder above the first special character: all matches lie below it. */
export function globFolder(glob: string): string {
  const plain = glob.replace(/^\.?\//, '')
  const special = plain.search(/[*?[{]/)
  const fixed = special === -1 ? plain : plain.slice(0, special)
  return fixed.slice(0, Math.max(0, fixed.lastIndexOf('/')))
}

/** Whether `createGlob` takes it. */
export function isUsableGlob(glob: string): boolean {
  try {
    createGlob(glob)
    return true
  } catch (error) {
    if (error instanceof ToolError) return false
    throw error
  }
}

export function isGlob(text: string): boolean {
  return /[*?{]|\[[^[\]]*\]/.test(text)
}

type Token =
  | { kind: 'text'; value: string }
  /** One character that is not a slash, out of a set when it has one. */
  | { kind: 'one'; test: (character: string) => boolean; steps: number }
  /** Any number of characters; slashes as well for `**`. */
  | { kind: 'many'; slashes: boolean }
  /** `**` as a whole folder name with its slash: zero or more folders. */
  | { kind: 'folders' }

function tokensOf(glob: string, { escapes = false } = {}): Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < glob.length; at++) {
    const character = glob[at] ?? ''
    const startsName = at === 0 || glob[at - 1] === '/'
    if (escapes && character === '\\' && at + 1 < glob.length)
      tokens.push({ kind: 'text', value: glob[++at] ?? '' })
    else if (character === '*' && glob[at + 1] === '*') {
      while (glob[at + 1] === '*') at++
      if (startsName && glob[at + 1] === '/') {
        tokens.push({ kind: 'folders' })
        at++
      } else tokens.push({ kind: 'many', slashes: true })
    } else if (character === '*') tokens.push({ kind: 'many', slashes: false })
    else if (character === '?') tokens.push({ kind: 'one', test: () => true, steps: 0 })
    else if (character === '[' && glob.indexOf(']', at + 2) !== -1) {
      const end = glob.indexOf(']', at + 2)
      tokens.push({ kind: 'one', test: setOf(glob.slice(at + 1, end)), steps: end - at })
      at = end
    } else tokens.push({ kind: 'text', value: character })
  }
  return tokens
}

function setOf(source: string): (character: string) => boolean {
  const negated = source.startsWith('!') || source.startsWith('^')
  const body = negated ? source.slice(1) : source
  return (character) => {
    for (let at = 0; at < body.length; at++) {
      const from = body[at] ?? ''
      const isRange = body[at + 1] === '-' && at + 2 < body.length
      const to = isRange ? (body[at + 2] ?? '') : from
      if (isRange) at += 2
      if (character >= from && character <= to) return !negated
    }
    return negated
  }
}

/** How to go on from a `*`, a `**` or a `**`-folder when what follows it does not match. */
interface Retry {
  token: number
  at: number
}

// Only the last `*`, and the last `**` before it, can take more: whatever an earlier one could give up, these could take too.
// So no path is walked more often than once for each of its characters.
// Undefined when the budget is used up.
function matches(tokens: readonly Token[], path: string, budget: { steps: number }): boolean | undefined {
  let [token, at] = [0, 0]
  let star: Retry | undefined
  let deep: (Retry & { folders: boolean }) | undefined
  for (;;) {
    const now = tokens[token]
    budget.steps -= now?.kind === 'one' ? 1 + now.steps : 1
    if (budget.steps < 0) return undefined
    if (now === undefined && at === path.length) return true
    if (now?.kind === 'folders' || (now?.kind === 'many' && now.slashes)) {
      deep = { token: ++token, at, folders: now.kind === 'folders' }
      star = undefined
    } else if (now?.kind === 'many') star = { token: ++token, at }
    else if (now !== undefined && at < path.length && isAt(now, path[at] ?? '')) {
      token++
      at++
    } else if (star && star.at < path.length && path[star.at] !== '/') {
      at = ++star.at
      token = star.token
    } else if (deep) {
      const next = deep.folders ? path.indexOf('/', deep.at) + 1 : deep.at + 1
      if (next === 0 || next > path.length) return false
      deep.at = at = next
      token = deep.token
      star = undefined
    } else return false
  }
}

function isAt(token: Exclude<Token, { kind: 'many' | 'folders' }>, character: string): boolean {
  return token.kind === 'text' ? token.value === character : character !== '/' && token.test(character)
}

function alternatives(glob: string): string[] {
  let open = [glob]
  const done: string[] = []
  while (open.length > 0) {
    const next: string[] = []
    for (const text of open) {
      const group = innermostGroup(text)
      if (group === undefined) done.push(text)
      else
        for (const choice of group.choices)
          next.push(text.slice(0, group.start) + choice + text.slice(group.end))
    }
    if (next.length + done.length > maxAlternatives) {
      throw new ToolError('invalid', 'The glob has more than 64 alternatives')
    }
    open = next
  }
  return done
}

function innermostGroup(text: string): { start: number; end: number; choices: string[] } | undefined {
  const close = text.indexOf('}')
  const start = close === -1 ? -1 : text.lastIndexOf('{', close)
  if (start === -1) return undefined
  return { start, end: close + 1, choices: text.slice(start + 1, close).split(',') }
}
