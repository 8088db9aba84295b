import { InvalidArgumentError } from 'commander'

type Limit = [metric: string, value: number]

/** What `--fail-under` and `--fail-over` say. */
export interface Limits {
  failUnder?: Limit[]
  failOver?: Limit[]
}

/** Reads limits of these measures from the words of an option. */
export function limitsOf(measures: readonly string[]): (text: string, before?: Limit[]) => Limit[] {
  return (text, before = []) => {
    const [name, limit] = pairOf(text)
    if (!measures.includes(name))
      throw new InvalidArgumentError(`There is no metric ${name}; there are ${measures.join(', ')}.`)
    if (!Number.isFinite(Number(limit))) throw new InvalidArgumentError(`${limit} must be a number.`)
    return [...before, [name, Number(limit)]]
  }
}

/** What a summary misses, in words. */
export function missedLimits(
  summary: Readonly<Record<string, number>>,
  { failUnder = [], failOver = [] }: Limits,
): string[] {
  const wanted = [
    ...failUnder.map(([name, limit]) => ({ name, limit, isUnder: true })),
    ...failOver.map(([name, limit]) => ({ name, limit, isUnder: false })),
  ]
  return wanted.flatMap(({ name, limit, isUnder }) => {
    const value = summary[name]
    if (value === undefined) return [`${name} was not measured: nothing says what is expected of it`]
    if (isUnder ? value >= limit : value <= limit) return []
    return [`${name} is ${Number(value.toFixed(4))}, ${isUnder ? 'under' : 'over'} ${limit}`]
  })
}

/** Says why the command fails, and goes on. */
export function failWith(problem: string): void {
  process.stderr.write(`docwright: ${problem}\n`)
  process.exitCode = 1
}

/** `name=value` */
export function pairOf(text: string): [string, string] {
  const at = text.indexOf('=')
  if (at < 1 || at === text.length - 1)
    throw new InvalidArgumentError(`${text} must have the form name=value.`)
  return [text.slice(0, at), text.slice(at + 1)]
}
