import { expect, it } from 'vitest'
import bounded from './regular-expressions/bounded.json' with { type: 'json' }
import { runTime } from './regular-expressions/composed-at-run-time.ts'
import { findExpressions } from './regular-expressions/find-expressions.ts'
import { verdictKey, written } from './regular-expressions/verdict-key.ts'
import verdicts from './regular-expressions/verdicts.json' with { type: 'json' }

const { expressions, composed } = await findExpressions()
const all = [...expressions, ...runTime.map(({ file, example }) => ({ file, line: 0, ...example }))]
const known = new Map<string, string>(Object.entries(verdicts))
const named = bounded.flatMap(({ expressions: list }) => list)

it('reads every regular expression of src/ and of the widget', () => {
  expect(expressions.some(({ file }) => file.endsWith('widget/markdown/read-markdown.ts'))).toBe(true)
  expect(expressions.length).toBeGreaterThan(1000)
  expect(expressions.some(({ file }) => file.endsWith('requests/parse-request.ts'))).toBe(true)
})

it('knows what is composed at run time, and what goes into it', () => {
  const keys = (list: readonly { file: string; argument: string }[]) =>
    list.map(({ file, argument }) => `${file}: ${argument}`).toSorted()
  expect(keys(composed)).toEqual(keys(runTime))
})

/**
 * An expression that is not linear stops a thread for as long as a stranger likes. Mend what fails here, or, where its
 * text is provably short, name it with its bound in bounded.json. `node scripts/judge-expressions.ts` writes the
 * verdicts down: one that is missing is not safe to judge here, beside other tests.
 */
it('has none that a text could make slow, but those whose text is bounded', () => {
  const wrong: string[] = []
  for (const [key, [first]] of Map.groupBy(all, verdictKey)) {
    if (first === undefined) continue
    const verdict = known.get(key) ?? 'not judged'
    const isNamed = verdict === 'polynomial' && named.includes(`${first.file} ${written(first)}`)
    if (verdict !== 'safe' && !isNamed)
      wrong.push(`${first.file}:${first.line} is ${verdict}: ${written(first)}`)
  }
  expect(wrong).toEqual([])
})

it('names no bound of what is gone', () => {
  const present = new Set(all.map((one) => `${one.file} ${written(one)}`))
  expect(named.filter((one) => !present.has(one))).toEqual([])
})
