import { createHash } from 'node:crypto'

export function written({ source, flags }: { source: string; flags: string }): string {
  return `/${source}/${flags}`
}

/** What verdicts.json knows an expression by. */
export function verdictKey(expression: { source: string; flags: string }): string {
  return createHash('sha256').update(written(expression)).digest('hex').slice(0, 16)
}
