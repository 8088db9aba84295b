import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runTime } from '../tests/regular-expressions/composed-at-run-time.ts'
import { findExpressions } from '../tests/regular-expressions/find-expressions.ts'
import { openJudge } from './expressions/judge-expression.ts'
import { verdictKey, written } from '../tests/regular-expressions/verdict-key.ts'

// Judges the regular expressions of src/ that are not in verdicts.json yet, and removes those that are gone. Run it
// on an idle machine: on a busy one recheck mistakes linear expressions for polynomial ones.
const path = join(import.meta.dirname, '../tests/regular-expressions/verdicts.json')
const before = new Map<string, unknown>(
  Object.entries(JSON.parse(await readFile(path, 'utf8').catch(() => '{}')) as Record<string, unknown>),
)
const { expressions } = await findExpressions()
let judge: Awaited<ReturnType<typeof openJudge>> | undefined
const verdicts: [key: string, verdict: unknown][] = []
const all = [...expressions, ...runTime.map(({ file, example }) => ({ file, line: 0, ...example }))]
for (const [key, [first]] of Map.groupBy(all, verdictKey)) {
  if (first === undefined) continue
  let verdict = before.get(key)
  if (verdict === undefined) {
    judge ??= await openJudge()
    const found = await judge(first)
    verdict = found
    console.log(`${first.file}:${first.line} is ${found}: ${written(first)}`)
  }
  // Verdicts on expressions that have to be fixed are not recorded.
  if (verdict === 'safe' || verdict === 'polynomial') verdicts.push([key, verdict])
}
const sorted = verdicts.toSorted(([one], [other]) => (one < other ? -1 : 1))
await writeFile(path, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`)
process.exit(0)
