/**
 * Writes src/integrations/models/prices.json: prices and context sizes of current chat models that can
 * call tools, and of models that make vectors.
 * The source is models.dev (https://github.com/anomalyco/models.dev, MIT licence).
 *
 *   npm run prices:refresh                                     from https://models.dev/api.json
 *   npm run prices:refresh -- --from api.json --date 2026-11-01   from a file of that form, with the day it was read
 *
 * The same source and date give the same file.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import type { PricedModel, PriceSnapshot } from '../src/integrations/models/price-list.ts'

const source = 'https://models.dev/api.json'
const target = join(import.meta.dirname, '../src/integrations/models/prices.json')
/** OpenRouter offers hundreds of models. Only those of these makers from the last two years are taken. */
const makers = [
  'anthropic',
  'deepseek',
  'google',
  'minimax',
  'mistralai',
  'moonshotai',
  'openai',
  'qwen',
  'x-ai',
  'z-ai',
]

const rates = z.object({
  input: z.number(),
  output: z.number(),
  cache_read: z.number().optional(),
  cache_write: z.number().optional(),
})
const model = z.object({
  tool_call: z.boolean().optional(),
  release_date: z.string().optional(),
  modalities: z.object({ output: z.array(z.string()) }).optional(),
  cost: z
    .object({
      ...rates.shape,
      tiers: z.array(z.object({ ...rates.shape, tier: z.object({ size: z.number() }) })).optional(),
    })
    .optional(),
  limit: z.object({ context: z.number().optional() }).optional(),
})
type ListedModel = z.infer<typeof model>
const list = z.record(z.string(), z.object({ models: z.record(z.string(), z.unknown()) }))

const { values } = parseArgs({ options: { from: { type: 'string' }, date: { type: 'string' } } })
const text = values.from === undefined ? await download(source) : await readFile(values.from, 'utf8')
const providers = list.parse(JSON.parse(text))
const date = values.date ?? new Date().toISOString().slice(0, 10)
const before = `${Number(date.slice(0, 4)) - 2}${date.slice(4)}`

const snapshot: PriceSnapshot = {
  source,
  date,
  models: {
    anthropic: pick('anthropic', () => true),
    google: pick('google', () => true),
    openai: pick('openai', () => true),
    openrouter: pick(
      'openrouter',
      (id, { release_date }) =>
        makers.includes(id.split('/')[0] ?? '') && !id.includes(':') && (release_date ?? '') >= before,
    ),
  },
}
await writeFile(target, format(snapshot))
for (const [provider, models] of Object.entries(snapshot.models))
  process.stdout.write(`${provider}: ${Object.keys(models).length} models\n`)

async function download(url: string): Promise<string> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  return response.text()
}

function pick(
  provider: string,
  wanted: (id: string, model: ListedModel) => boolean,
): Record<string, PricedModel> {
  const picked: Record<string, PricedModel> = {}
  for (const [id, value] of Object.entries(providers[provider]?.models ?? {}).sort(([a], [b]) =>
    a < b ? -1 : 1,
  )) {
    const { data } = model.safeParse(value)
    const writesText = data?.modalities?.output.every((kind) => kind === 'text') ?? true
    const isUsed = data?.tool_call === true || id.includes('embedding')
    if (!data?.cost || !isUsed || !writesText || !wanted(id, data)) continue
    const [tier] = data.cost.tiers ?? []
    picked[id] = {
      ...ratesOf(data.cost),
      ...(data.limit?.context !== undefined && { context: data.limit.context }),
      ...(tier && { long: { over: tier.tier.size, ...ratesOf(tier) } }),
    }
  }
  if (Object.keys(picked).length === 0) throw new Error(`The source has no prices of ${provider}`)
  return picked
}

function ratesOf({ input, output, cache_read: cacheRead, cache_write: cacheWrite }: z.infer<typeof rates>) {
  return {
    input,
    output,
    ...(cacheRead !== undefined && { cacheRead }),
    ...(cacheWrite !== undefined && { cacheWrite }),
  }
}

/** Writes one line for each model, so that the diff of a refresh is readable. */
function format({ models, ...head }: PriceSnapshot): string {
  const groups = Object.entries(models).map(([provider, entries]) => {
    const lines = Object.entries(entries).map(
      ([id, entry]) => `      ${JSON.stringify(id)}: ${JSON.stringify(entry)}`,
    )
    return `    ${JSON.stringify(provider)}: {\n${lines.join(',\n')}\n    }`
  })
  const top = Object.entries(head).map(
    ([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)},`,
  )
  return `{\n${top.join('\n')}\n  "models": {\n${groups.join(',\n')}\n  }\n}\n`
}
