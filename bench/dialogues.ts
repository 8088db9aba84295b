import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { fuseResults } from '../src/features/assistant/search/fuse-results.ts'
import { planSearch, withQueries, type SearchPlan } from '../src/features/assistant/search/plan-search.ts'
import { createSegmentBuilder } from '../src/features/docs/search/build-segment.ts'
import { createIndex, type SearchIndex } from '../src/features/docs/search/search-index.ts'
import { search } from '../src/features/docs/search/search.ts'
import { documentsOf, pageOf } from './retrieval-corpus.ts'

/**
 * Searches for the last turn of dialogues, and says on which place the right page stands: with its own words alone,
 * with everything that was asked as one query, as the assistant does it without a model, and with the queries that a
 * model would write (`rewritten`). Dialogues are a JSONL file:
 * `{site, turns: [question, …], relevant: [page id, …], rewritten?: [query, …]}`.
 */
const dialogueSchema = z.object({
  site: z.string(),
  turns: z.array(z.string()).min(1),
  relevant: z.array(z.string()),
  rewritten: z.array(z.string()).default([]),
  kind: z.string().default('follow-up'),
})

const { values: options, positionals } = parseArgs({
  options: { missed: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const [file] = positionals
if (file === undefined) {
  console.error(
    'Name a JSONL file of dialogues: node bench/dialogues.ts [--missed] FILE (see bench/README.md).',
  )
  process.exit(1)
}
const folder = resolve(
  process.env['DOCWRIGHT_EVAL'] ?? join(import.meta.dirname, '..', '..', 'shared', 'eval'),
)
const dialogues = readFileSync(file, 'utf8')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => dialogueSchema.parse(JSON.parse(line)))
type Dialogue = (typeof dialogues)[number]

const indexes = new Map<string, SearchIndex>()
for (const { site } of dialogues) {
  if (indexes.has(site)) continue
  const builder = createSegmentBuilder()
  for (const document of documentsOf(folder, site)) builder.add(pageOf(document))
  indexes.set(site, createIndex([builder.finish()]))
}

const ways: Record<string, (dialogue: Dialogue) => SearchPlan | undefined> = {
  'own words': ({ turns }) => planOf(turns.at(-1) ?? ''),
  'one mixed query': ({ turns }) => planOf(turns.toReversed().join(' ')),
  'the assistant': plan,
  'with written queries': (dialogue) => {
    const literal = plan(dialogue)
    return literal && withQueries(literal, dialogue.rewritten)
  },
}

for (const kind of new Set(dialogues.map((dialogue) => dialogue.kind))) {
  const asked = dialogues.filter((dialogue) => dialogue.kind === kind)
  console.log(
    `\n${asked.length} dialogues: ${kind}\n\n| search | first | among five | MRR | eight results |\n|---|---|---|---|---|`,
  )
  for (const [name, way] of Object.entries(ways)) {
    const found = asked.map((dialogue) => ({ dialogue, ...placesOf(dialogue, way(dialogue)) }))
    const reciprocal = found.reduce((sum, { page }) => sum + (page < 0 ? 0 : 1 / (page + 1)), 0)
    const count = (most: number) => found.filter(({ page }) => page >= 0 && page < most).length
    const shown = found.filter(({ result }) => result >= 0 && result < 8).length
    console.log(
      `| ${name} | ${count(1)} | ${count(5)} | ${(reciprocal / asked.length).toFixed(3)} | ${shown} |`,
    )
    if (!options.missed) continue
    for (const { dialogue, page } of found) {
      if (page < 0 || page >= 5)
        console.log(`  ${dialogue.site}: ${dialogue.turns.join(' / ')} (${page + 1})`)
    }
  }
}

function plan({ turns }: Dialogue): SearchPlan | undefined {
  const history = turns.slice(0, -1).map((text) => ({ role: 'user' as const, text }))
  return planSearch({ question: turns.at(-1) ?? '', history, context: [] })
}

function planOf(query: string): SearchPlan {
  return { query, searches: [{ query, by: 'question', weight: 1, whole: true }] }
}

/** The places of the right page among pages, and of its first section among results; -1 where it was not found. */
function placesOf({ site, relevant }: Dialogue, found: SearchPlan | undefined) {
  const index = indexes.get(site)
  if (index === undefined || found === undefined) return { page: -1, result: -1 }
  const lists = found.searches.map(({ query, weight }) => ({
    weight,
    hits: search(index, { query, limit: 30 }).hits,
  }))
  const urls = fuseResults(lists).map(({ url }) => url.slice(1))
  const isRight = (url: string): boolean => relevant.includes(url)
  return { page: [...new Set(urls)].findIndex(isRight), result: urls.findIndex(isRight) }
}
