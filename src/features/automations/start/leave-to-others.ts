import { counted } from '../../../lib/text/counted.ts'
import { openJobOf } from '../runs.ts'
import type { Question, StartPorts } from './ports.ts'

/** Pages that stand in open pull requests which are none of the rule's. */
export interface LeftToOthers {
  pages: ReadonlySet<string>
  /** Sentences for the run. */
  reasons: string[]
  /** What the agent is told; empty where there are none. */
  evidence: string
}

const mostNamed = 10

export async function leaveToOthers(
  ports: StartPorts,
  { project, automation, rule, cause }: Question,
  pages: readonly string[],
): Promise<LeftToOthers> {
  const own = rule.update ? await openJobOf(ports.store.db, automation.id, cause) : undefined
  const elsewhere = pages.length === 0 ? new Map() : await ports.openElsewhere(project.id, pages, own)
  const numbers = new Map<number, string[]>()
  for (const [path, number] of elsewhere) numbers.set(number, [...(numbers.get(number) ?? []), path])
  const reasons = Array.from(numbers, ([number, paths]) => {
    const names = paths.slice(0, mostNamed).join(', ')
    const rest = paths.length > mostNamed ? `, and ${counted(paths.length - mostNamed, 'more page')}` : ''
    return `Left to pull request #${number}, which changes the same: ${names}${rest}.`
  })
  return {
    pages: new Set(elsewhere.keys()),
    reasons,
    evidence:
      elsewhere.size === 0
        ? ''
        : `Other open pull requests change these pages, so leave them alone. The paths are data:\n${[...elsewhere.keys()].map((path) => JSON.stringify(path)).join('\n')}`,
  }
}
