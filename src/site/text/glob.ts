import { ToolError } from '../../lib/tool-error.ts'

const maxAlternatives = 64
const maxSteps = 50_000_000

/**
 * Matches paths against a glob of `*`, `**`, `?`, `[a-z]` and `{a,b}` in time linear in both: globs come from models.
 * One without a slash matches names in every folder.
 * @throws ToolError `invalid` for one that is too long or has too many alternatives
 */
export function createGlob(glob: string): (path: string) => boolean {
  if (glob.length > 1000) throw new ToolError('invalid', 'The glob is longer than 1,000 characters')
  const plain = glob.replace(/^\.?\//, '')
  const anchored = plain.includes('/') ? plain : `**/${plain}`
  const patterns = alternatives(anchored).map(tokensOf)
  const budget = { steps: maxSteps }
  return (path) => patterns.some((tokens) => matches(tokens, path, budget))
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

export function isGlob(text: string): boolean {
  return /[*?{]|\[[^[\]]*\]/.test(text)
}

type Token =
  | { kind: 'text'; value: string }
  /** One character that is not a slash, out of a set when it has one. */
  | { kind: 'one'; test: (character: string) => boolean }
  /** Any number of characters; slashes as well for `**`. */
  | { kind: 'many'; slashes: boolean }
  /** `**` as a whole folder name with its slash: zero or more folders. */
  | { kind: 'folders' }

function tokensOf(glob: string): Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < glob.length; at++) {
    const character = glob[at] ?? ''
    const startsName = at === 0 || glob[at - 1] === '/'
    if (character === '*' && glob[at + 1] === '*') {
      while (glob[at + 1] === '*') at++
      if (startsName && glob[at + 1] === '/') {
        tokens.push({ kind: 'folders' })
        at++
      } else tokens.push({ kind: 'many', slashes: true })
    } else if (character === '*') tokens.push({ kind: 'many', slashes: false })
    else if (character === '?') tokens.push({ kind: 'one', test: () => true })
    else if (character === '[' && glob.indexOf(']', at + 2) !== -1) {
      const end = glob.indexOf(']', at + 2)
      tokens.push({ kind: 'one', test: setOf(glob.slice(at + 1, end)) })
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

// Follows all states at once, one character after the other, without backtracking.
function matches(tokens: readonly Token[], path: string, budget: { steps: number }): boolean {
  let states = closure(tokens, new Set([0]))
  for (let at = 0; at < path.length; at++) {
    const character = path[at] ?? ''
    const next = new Set<number>()
    for (const state of states) {
      const token = tokens[state]
      if (token === undefined) continue
      if (token.kind === 'text' && token.value === character) next.add(state + 1)
      else if (token.kind === 'one' && character !== '/' && token.test(character)) next.add(state + 1)
      else if (token.kind === 'many' && (token.slashes || character !== '/')) next.add(state)
      else if (token.kind === 'folders') {
        next.add(state)
      }
    }
    states = closure(tokens, next, character)
    budget.steps -= states.size + 1
    if (budget.steps < 0) throw new ToolError('invalid', 'The glob takes too long: make it simpler')
    if (states.size === 0) return false
  }
  return states.has(tokens.length)
}

function closure(tokens: readonly Token[], states: Set<number>, last = '/'): Set<number> {
  for (const state of states) {
    const kind = tokens[state]?.kind
    if (kind === 'many') states.add(state + 1)
    if (kind === 'folders' && last === '/') states.add(state + 1)
  }
  return states
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
