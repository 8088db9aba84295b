/**
 * Measures what models add to the search, on the corpora of retrieval.ts: each ranking alone, and joined.
 *
 *   node bench/enrichment.ts --questions scripted --vectors stems             with a scripted server in this process
 *   OPENAI_COMPATIBLE_BASE_URL=http://127.0.0.1:8080/v1 node bench/enrichment.ts --vectors compatible:NAME
 */
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '../src/config.ts'
import { createModels } from '../src/start/models/models.ts'
import { startEnrichingServer } from '../tests/worlds/enriching-server.ts'
import { corporaIn, documentsOf, pageOf, questionsOf, type Question } from './retrieval-corpus.ts'
import { enrich, scriptedWriter, type Enriched } from './retrieval-enriched.ts'
import { judge, percentile, type Quality } from '../src/lib/ranking-quality.ts'
import { meanQuality } from './retrieval-metrics.ts'
import { kindsOfVectors, scriptedVectors } from './scripted-vectors.ts'

const { values: options } = parseArgs({
  options: {
    questions: { type: 'string' },
    vectors: { type: 'string' },
    only: { type: 'string', multiple: true },
  },
})
const folder = resolve(
  process.env['DOCWRIGHT_EVAL'] ?? join(import.meta.dirname, '..', '..', 'shared', 'eval'),
)
const total = new Map<string, { all: Quality[]; para: Quality[] }>()
console.log(
  '| corpus | ranking | nDCG@10 | R@5 | of paraphrases: nDCG@10 | R@5 | R@10 |\n|---|---|---|---|---|---|---|',
)
for (const corpus of corporaIn(folder).filter((name) => options.only?.includes(name) ?? true)) {
  const pages = [...documentsOf(folder, corpus)].map(pageOf)
  const questions = questionsOf(folder, corpus)
  const kind = kindsOfVectors.find((one) => one === options.vectors)
  await using server = await startEnrichingServer({
    write: scriptedWriter(pages, questions),
    ...(kind && { embed: scriptedVectors(kind, pages, questions) }),
  })
  const isScripted = options.questions === 'scripted' || kind !== undefined
  const models = createModels(
    readConfig(isScripted ? { OPENAI_COMPATIBLE_BASE_URL: server.url } : process.env),
  )
  const named = (name: string): string =>
    name === 'scripted' || name === kind ? 'compatible:scripted' : name
  const enriched = await enrich(pages, {
    writer: options.questions === undefined ? undefined : models.find(named(options.questions)),
    embedder: options.vectors === undefined ? undefined : models.findEmbedder(named(options.vectors)),
  })
  await report(corpus, questions, enriched)
}
for (const [name, { all, para }] of total) print('all', name, all, para)

async function report(corpus: string, questions: Question[], enriched: Enriched): Promise<void> {
  for (const name of enriched.names) {
    const sum = total.get(name) ?? { all: [], para: [] }
    total.set(name, sum)
    const [all, para]: [Quality[], Quality[]] = [[], []]
    for (const question of questions) {
      const quality = judge(await enriched.find(name, question), question.relevant)
      all.push(quality)
      if (question.kind === 'para') para.push(quality)
    }
    sum.all.push(...all)
    sum.para.push(...para)
    print(corpus, name, all, para)
  }
  const { tokens, milliseconds } = enriched
  console.error(
    `${corpus}: about ${tokens} tokens; p50 ${percentile(milliseconds, 0.5).toFixed(2)} ms, p95 ${percentile(milliseconds, 0.95).toFixed(2)} ms of a search`,
  )
}

function print(corpus: string, name: string, all: Quality[], para: Quality[]): void {
  const [whole, hard] = [meanQuality(all), meanQuality(para)]
  const cells = [whole.ndcg, whole.recall5, hard.ndcg, hard.recall5, hard.recall10].map((value) =>
    value.toFixed(3),
  )
  console.log(`| ${corpus} | ${name} | ${cells.join(' | ')} |`)
}
