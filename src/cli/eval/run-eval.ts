import { z } from 'zod'
import { AppError } from '../../lib/errors.ts'
import type { CommandContext } from '../command-context.ts'
import { inParallel } from './in-parallel.ts'
import { openJournal } from './journal.ts'
import type { Judge } from './judge.ts'
import type { Case, CaseFile } from './read-cases.ts'
import { compare, configurationOf, type Asked, type Report } from './report.ts'
import { quoteThreshold, type Expected } from './score.ts'
import type { Result, Target } from './target.ts'

interface Run {
  kind: Report['kind']
  /** As it was named. */
  file: string
  /** One or two. */
  targets: Target[]
  limit: number | undefined
  concurrency: number
  judge: Judge | undefined
  /** File of results that are not asked for again, to which new ones are added. */
  resume: string | undefined
  /** An earlier report to compare with. */
  before: Report | undefined
}

/** Asks all questions of a file and reports what came of them. */
export async function runEval(
  context: Pick<CommandContext, 'note' | 'progress'>,
  { cases: all, unreviewed }: CaseFile,
  run: Run,
): Promise<Report> {
  const { kind, targets, before } = run
  const fitting = kind === 'answers' ? all : all.filter(isForSearch)
  const cases = fitting.slice(0, run.limit)
  if (cases.length === 0)
    throw new AppError('invalid', 'No question can be searched: a search needs `pages` or `sections`')
  const expected = await Promise.all(
    targets.map((target, at) => readExpected(context, run, target, cases, at > 0)),
  )
  const journal = await openJournal(run.resume, readResult)
  const progress = context.progress()
  let done = 0
  const total = cases.length * targets.length
  const measure = async (one: Case, at: number, index: number): Promise<Result> => {
    const target = targets[at]
    if (!target) throw new Error('Configuration not found')
    const key = keyOf(target, kind, run.judge?.name, one)
    const known = journal.find(key)
    const result = known ?? (await target.measure(one, expected[at]?.[index] ?? []))
    if (!known) await journal.add(key, result)
    progress.show({ phase: kind === 'search' ? 'searching' : 'asking', done: ++done, total })
    return result
  }
  progress.show({ phase: kind === 'search' ? 'searching' : 'asking', done, total })
  const questions = await inParallel(cases, run.concurrency, async (one, index): Promise<Asked> => {
    // In turns, so that neither configuration always finds warm caches.
    const order = targets.map((_, at) => at)
    const results: Result[] = []
    for (const at of index % 2 === 0 ? order : order.toReversed()) results[at] = await measure(one, at, index)
    const { key, line, question } = one
    return { key, line, question, results }
  }).finally(() => progress.end())
  const first = before?.configurations.at(-1)
  const rows = before ? besideEarlier(questions, before) : questions
  const configurations = targets.map((target, at) =>
    configurationOf(
      target,
      questions.map(({ results }) => results[at]).filter((one) => one !== undefined),
    ),
  )
  return {
    kind,
    at: new Date().toISOString(),
    cases: run.file,
    asked: cases.length,
    leftOut: {
      'marked to be reviewed': unreviewed,
      'follow-ups, unanswerable, or without pages': all.length - fitting.length,
      'beyond the limit': fitting.length - cases.length,
    },
    quoteThreshold,
    judge: run.judge ? { model: run.judge.name, cost: run.judge.cost() } : null,
    configurations: first ? [{ ...first, name: `before: ${first.name}` }, ...configurations] : configurations,
    comparison: targets.length > 1 || first ? compare(rows) : null,
    questions: rows,
  }
}

function isForSearch({ history, unanswerable, pages, sections }: Case): boolean {
  return history.length === 0 && !unanswerable && pages.length + sections.length > 0
}

// A page that moved must not count as an answer that became worse.
async function readExpected(
  context: Pick<CommandContext, 'note'>,
  { file }: Run,
  target: Target,
  cases: readonly Case[],
  mayMiss: boolean,
): Promise<Expected[][]> {
  const problems: string[] = []
  const expected = await inParallel(cases, 4, async (one) => {
    const read = await target.expect(one)
    for (const name of read.missing)
      problems.push(`${file}:${one.line}: there is no page ${JSON.stringify(name)} in ${target.domain}`)
    return read.expected
  })
  if (problems.length > 0 && !mayMiss) throw new AppError('invalid', problems.slice(0, 20).join('\n'))
  for (const problem of problems) context.note(problem)
  return expected
}

function besideEarlier(questions: readonly Asked[], before: Report): Asked[] {
  const earlier = new Map(before.questions.map(({ key, results }) => [key, results.at(-1)]))
  return questions.flatMap((one) => {
    const result = earlier.get(one.key)
    return result ? [{ ...one, results: [result, ...one.results] }] : []
  })
}

function keyOf({ name, domain, commit }: Target, kind: string, judge: string | undefined, one: Case): string {
  return JSON.stringify([kind, judge, name, domain, commit, { ...one, line: 0 }])
}

const savedResult = z.looseObject({
  scores: z.record(z.string(), z.number()),
  total: z.number(),
  sections: z.array(z.string()),
  error: z.string().optional(),
})

function readResult(value: unknown): Result | undefined {
  const { data } = savedResult.safeParse(value)
  return data?.error === undefined ? data : undefined
}

const savedReport = z.looseObject({
  kind: z.enum(['search', 'answers']),
  configurations: z
    .array(z.looseObject({ name: z.string(), summary: z.record(z.string(), z.number()) }))
    .min(1),
  questions: z.array(z.looseObject({ key: z.string(), results: z.array(savedResult) })),
})

/** @throws AppError `invalid` */
export function readReport(text: string, name: string, kind: Report['kind']): Report {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new AppError('invalid', `${name} is not JSON; name the file that --out wrote with the ending .json`)
  }
  const { data } = savedReport.safeParse(value)
  if (!data) throw new AppError('invalid', `${name} is not a report of "eval"`)
  if (data.kind !== kind) throw new AppError('invalid', `${name} is a report of "eval ${data.kind}"`)
  return value as Report
}
