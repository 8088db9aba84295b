import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { corporaIn, documentsOf, questionsOf, type Question } from './retrieval-corpus.ts'
import { buildMiniSearch, buildOurs, type Engine } from './retrieval-engines.ts'
import { judgeSections, type SectionQuality } from './retrieval-sections.ts'
import { judge, percentile, type Quality } from '../src/lib/ranking-quality.ts'
import { meanQuality, withTypo } from './retrieval-metrics.ts'

const { values: options } = parseArgs({
  options: { typos: { type: 'boolean', default: false }, only: { type: 'string', multiple: true } },
})
const folder = resolve(
  process.env['DOCWRIGHT_EVAL'] ?? join(import.meta.dirname, '..', '..', 'shared', 'eval'),
)
const corpora = corporaIn(folder).filter((name) => options.only?.includes(name) ?? true)
if (corpora.length === 0) {
  console.error(
    `No corpora in ${folder}. Set DOCWRIGHT_EVAL to a folder with one folder per site (see bench/README.md).`,
  )
  process.exit(1)
}

/** The results of one engine on one corpus. */
interface Run {
  corpus: string
  pages: number
  engine: Engine
  qualities: Quality[]
  times: number[]
}

const sections: { all: SectionQuality; byWords: SectionQuality }[] = []
/** By kind of question: what words alone find, and what is found in all. */
const kinds = new Map<string, { byWords: Quality[]; all: Quality[] }>()

const scratch = await mkdtemp(join(tmpdir(), 'retrieval-'))
const ours: Run[] = []
const minis: Run[] = []
printHead()
for (const corpus of corpora) {
  const questions = questionsOf(folder, corpus)
  const pages = [...documentsOf(folder, corpus)].length
  const engine = await buildOurs(documentsOf(folder, corpus), scratch)
  ours.push({ corpus, pages, engine, ...ask(engine, questions) })
  printRun('docwright', ours.at(-1))
  const byWords = ask({ ...engine, find: engine.findByWords }, questions)
  printRun('words alone', { corpus, pages, engine, ...byWords })
  for (const [at, { kind }] of questions.entries()) {
    const known = kinds.get(kind) ?? { byWords: [], all: [] }
    known.byWords.push(...byWords.qualities.slice(at, at + 1))
    known.all.push(...(ours.at(-1)?.qualities.slice(at, at + 1) ?? []))
    kinds.set(kind, known)
  }
  const mini = await buildMiniSearch(documentsOf(folder, corpus))
  minis.push({ corpus, pages, engine: mini, ...ask(mini, questions) })
  printRun('minisearch', minis.at(-1))
  sections.push(judgeSections(documentsOf(folder, corpus), pages, questions))
}
await rm(scratch, { recursive: true })
printMeans()
printKinds()
printSections()

/** Asks all questions once as a warm-up and once to measure. */
function ask(engine: Engine, questions: Question[]): { qualities: Quality[]; times: number[] } {
  const qualities: Quality[] = []
  const times: number[] = []
  for (const isMeasured of [false, true]) {
    for (const question of questions) {
      const query = options.typos ? withTypo(question.query, question.id) : question.query
      const exclude = new Set(question.exclude)
      const started = performance.now()
      const ranked = engine.find(query, exclude)
      if (!isMeasured) continue
      times.push(performance.now() - started)
      qualities.push(judge(ranked, question.relevant))
    }
  }
  return { qualities, times }
}

function printHead(): void {
  const columns = [
    'nDCG@10',
    'R@5',
    'R@10',
    'MRR@10',
    'p50 ms',
    'p95 ms',
    'build s',
    'load ms',
    'file MB',
    'memory MB',
  ]
  console.log(
    `${options.typos ? 'One typo per question\n\n' : ''}| corpus | pages | engine | ${columns.join(' | ')} |`,
  )
  console.log(`|---|---|---|${columns.map(() => '---|').join('')}`)
}

function printRun(name: string, run: Run | undefined): void {
  if (run === undefined) return
  const { engine, times } = run
  const cells = [run.corpus, String(run.pages), name, ...qualityCells(meanQuality(run.qualities))]
  cells.push(
    percentile(times, 0.5).toFixed(2),
    percentile(times, 0.95).toFixed(2),
    engine.buildSeconds.toFixed(1),
  )
  cells.push(
    engine.loadMilliseconds.toFixed(0),
    engine.fileMegabytes.toFixed(1),
    engine.memoryMegabytes.toFixed(1),
  )
  console.log(`| ${cells.join(' | ')} |`)
}

function printMeans(): void {
  const all = (runs: Run[]) => meanQuality(runs.flatMap((run) => run.qualities))
  const bySite = (runs: Run[]) => meanQuality(runs.map((run) => meanQuality(run.qualities)))
  const mean = (runs: Run[], pick: (run: Run) => number) =>
    runs.reduce((sum, run) => sum + pick(run), 0) / runs.length
  console.log('\n| mean | engine | nDCG@10 | R@5 | R@10 | MRR@10 |\n|---|---|---|---|---|---|')
  for (const [name, of] of [['questions', all] as const, ['sites', bySite] as const]) {
    for (const [engine, runs] of [['docwright', ours] as const, ['minisearch', minis] as const]) {
      console.log(`| of ${name} | ${engine} | ${qualityCells(of(runs)).join(' | ')} |`)
    }
  }
  const ratio = (pick: (run: Run) => number) => (mean(ours, pick) / mean(minis, pick)).toFixed(2)
  console.log('\ndocwright / minisearch, means over the sites:')
  console.log(`  nDCG@10 ${(all(ours).ndcg / all(minis).ndcg).toFixed(3)}`)
  console.log(
    `  p50 ${ratio((run) => percentile(run.times, 0.5))}  p95 ${ratio((run) => percentile(run.times, 0.95))}`,
  )
  console.log(
    `  build ${ratio((run) => run.engine.buildSeconds)}  load ${ratio((run) => run.engine.loadMilliseconds)}`,
  )
  console.log(
    `  file ${ratio((run) => run.engine.fileMegabytes)}  memory ${ratio((run) => run.engine.memoryMegabytes)}`,
  )
}

function printKinds(): void {
  console.log(
    '\n| kind | questions | words alone: nDCG@10 | R@5 | in all: nDCG@10 | R@5 |\n|---|---|---|---|---|---|',
  )
  const every = [...kinds.values()]
  const all = { byWords: every.flatMap((one) => one.byWords), all: every.flatMap((one) => one.all) }
  for (const [kind, qualities] of [...kinds, ['all', all] as const]) {
    const [before, after] = [meanQuality(qualities.byWords), meanQuality(qualities.all)]
    const cells = [before.ndcg, before.recall5, after.ndcg, after.recall5].map((value) => value.toFixed(3))
    console.log(`| ${kind} | ${qualities.all.length} | ${cells.join(' | ')} |`)
  }
}

function printSections(): void {
  console.log('\nsections, of the questions whose page was found:\n')
  console.log(
    '| corpus | questions | page found | section first | among the first three |\n|---|---|---|---|---|',
  )
  for (const [at, { all }] of sections.entries()) printSection(corpora[at] ?? '', all)
  printSection('all', sumOf(sections.map(({ all }) => all)))
  printSection('all, words alone', sumOf(sections.map(({ byWords }) => byWords)))
}

function printSection(name: string, { questions, found, first, firstThree }: SectionQuality): void {
  const shares = [found / questions, first / found, firstThree / found].map((share) => share.toFixed(3))
  console.log(`| ${name} | ${questions} | ${shares.join(' | ')} |`)
}

function sumOf(qualities: readonly SectionQuality[]): SectionQuality {
  const sum = (pick: (quality: SectionQuality) => number): number =>
    qualities.reduce((all, one) => all + pick(one), 0)
  return {
    questions: sum((one) => one.questions),
    found: sum((one) => one.found),
    first: sum((one) => one.first),
    firstThree: sum((one) => one.firstThree),
  }
}

function qualityCells({ ndcg, recall5, recall10, mrr }: Quality): string[] {
  return [ndcg, recall5, recall10, mrr].map((value) => value.toFixed(3))
}
