import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { describeOnBothEngines } from '../../../../tests/stores.ts'
import { startEnrichingServer } from '../../../../tests/worlds/enriching-server.ts'
import { insertProject } from '../../../../tests/worlds/project.ts'
import { pageOf } from '../../../../tests/worlds/search-world.ts'
import { createEmbedder } from '../../../integrations/models/create-embedder.ts'
import { createRemoteModel } from '../../../integrations/models/create-remote-model.ts'
import { parseModelName } from '../../../integrations/models/model-name.ts'
import { createOutages } from '../../../integrations/models/outages.ts'
import { sql } from 'kysely'
import { noTurns } from '../../../integrations/models/model-turns.ts'
import { providers } from '../../../integrations/models/providers.ts'
import { openPostgresStore } from '../../../store/database.ts'
import { openQueue } from '../../../store/queue.ts'
import { createIndexes } from '../indexes.ts'
import { writePages } from '../pages.ts'
import { searchDocs } from '../search-docs.ts'
import { createEnrichedIndexes } from './enriched-indexes.ts'
import { enrichProject } from './enrich-project.ts'
import type { EnrichmentSettings } from './enrichment.ts'
import { estimateEnrichment } from './estimate-enrichment.ts'
import { createQueryVectors } from './query-vectors.ts'
import { probeText } from './vector-probe.ts'

const pages = {
  'car.md': 'The automobile needs petrol. Fill the tank before you leave the garage.',
  'boat.md': 'A vessel floats on water. Check the hull for holes before each season.',
  'plane.md':
    'Aircraft fly over land. The pilot looks at the weather beforehand.\n## Landing\nLower the wheels and slow down early enough.',
}

describeOnBothEngines('enrichment', (store) => {
  const world = async () => {
    const server = await startEnrichingServer({
      synonyms: [
        ['automobile', 'car'],
        ['petrol', 'gas', 'fuel'],
      ],
      write: (section) =>
        section.includes('vessel')
          ? 'Q: Where does my yacht leak?\nC: Care of small ships.'
          : 'Q: Something that the section answers?',
    })
    const projectId = await insertProject(store())
    const errors: unknown[] = []
    const about = { address: server.url, hasKey: false, secrets: [] }
    const settings = { key: undefined, url: server.url }
    const models = {
      turns: noTurns,
      find: (name: string) =>
        createRemoteModel(
          parseModelName(name),
          () => providers.compatible.load('writer', settings),
          about,
          () => createOutages().begin(name, undefined),
          { tries: 1, firstWait: 0, longestWait: 0 },
        ),
      findEmbedder: (name: string) =>
        createEmbedder(
          parseModelName(name),
          async () => {
            const model = await providers.compatible.loadEmbedding?.('vectors', settings)
            if (model === undefined) throw new Error('there are no vectors')
            return model
          },
          about,
        ),
      costOf: (_: string, usage: { inputTokens: number }) => usage.inputTokens * 1000,
    }
    const enriched = createEnrichedIndexes(
      store(),
      createQueryVectors(store(), models, (error) => void errors.push(error)),
      (error) => void errors.push(error),
    )
    const indexes = createIndexes(store(), await mkdtemp(join(tmpdir(), 'enriched-')), {}, enriched)
    const write = (texts: Record<string, string>, removed: string[] = []): Promise<void> =>
      store().transaction((tx) =>
        writePages(
          tx,
          projectId,
          Object.entries(texts).map(([path, content]) => ({
            page: pageOf(path, path.replace('.md', ''), content),
            oid: content,
            included: {},
            content,
          })),
          removed,
        ),
      )
    await write(pages)
    const row = () =>
      store()
        .db.selectFrom('projects')
        .select(['generation', 'enrichment', 'enrichment_revision'])
        .where('id', '=', projectId)
        .executeTakeFirstOrThrow()
    const projectWith = async (enrichment: EnrichmentSettings | undefined) => {
      const { generation, enrichment_revision: revision } = await row()
      return {
        id: projectId,
        generation,
        sync: { state: 'ready' as const },
        settings: { enrichment },
        enrichment: { revision },
      }
    }
    const enrich = async (settings: EnrichmentSettings, stopping = new AbortController().signal) => {
      await enrichProject({ store: store(), models, stopping }, await projectWith(settings))
      return (await row()).enrichment
    }
    const find = async (query: string, settings: EnrichmentSettings | undefined) => {
      enriched.forget(projectId)
      const project = await projectWith(settings)
      return (await searchDocs(indexes, project, { query, limit: 5 })).hits.map(({ path }) => path)
    }
    const questionsFor = async (query: string, settings: EnrichmentSettings | undefined) => {
      const { hits } = await searchDocs(indexes, await projectWith(settings), { query, limit: 1 })
      return hits.flatMap(({ questions = [] }) => questions)
    }
    const usage = () =>
      store().db.selectFrom('usage_days').selectAll().where('project_id', '=', projectId).execute()
    const hashes = async (table: 'section_questions' | 'section_vectors') =>
      (await store().db.selectFrom(table).select('hash').where('project_id', '=', projectId).execute()).length
    return {
      server,
      /** The sections that were made vectors of. */
      sections: () => server.embedded.filter((text) => text !== probeText),
      /** Makes as if the last look at the model was long ago. */
      age: () =>
        store().transaction((tx) =>
          sql`update vector_probes set checked_at = '-infinity' where project_id = ${projectId}`.execute(tx),
        ),
      projectId,
      models,
      errors,
      row,
      write,
      enrich,
      find,
      questionsFor,
      usage,
      hashes,
      [Symbol.asyncDispose]: server[Symbol.asyncDispose],
    }
  }
  const both = { questions: 'compatible:writer', vectors: 'compatible:vectors' }

  it('finds pages by questions and by vectors, and by words alone when it is off', async () => {
    await using made = await world()
    expect(await made.find('yacht', undefined)).toEqual([])
    const state = await made.enrich(both)
    expect(state).toMatchObject({ state: 'ready', done: 4, total: 4 })
    expect(await made.find('yacht', { questions: both.questions })).toEqual(['boat.md'])
    expect((await made.find('car gas', { vectors: both.vectors }))[0]).toBe('car.md')
    expect((await made.find('yacht', both))[0]).toBe('boat.md')
    expect(await made.find('yacht', undefined)).toEqual([])
    expect(made.errors).toEqual([])
  })

  it('gives the questions of a section with its hit', async () => {
    await using made = await world()
    await made.enrich(both)
    const questions = await made.questionsFor('vessel or yacht', { questions: both.questions })
    expect(questions).toEqual(['Where does my yacht leak?'])
    expect(await made.questionsFor('vessel or yacht', undefined)).toEqual([])
  })

  it('reads only what changed, counts what it cost, and deletes what no page has any more', async () => {
    await using made = await world()
    await made.enrich(both)
    const [row] = (await made.usage()).filter(({ model }) => model === both.questions)
    expect(row).toMatchObject({ surface: 'enrichment', calls: 1, input_tokens: 1000, cost: 1_000_000 })
    expect([made.server.asked.length, made.sections().length]).toEqual([4, 4])
    await made.enrich(both)
    expect(made.server.asked).toHaveLength(4)
    await made.write({ 'plane.md': pages['plane.md'].replace('slow down', 'brake') }, ['boat.md'])
    expect(await made.enrich(both)).toMatchObject({ state: 'ready', done: 3, total: 3 })
    expect([made.server.asked.length, made.sections().length]).toEqual([5, 5])
    expect(made.server.asked.at(-1)).toContain('Landing')
    expect([await made.hashes('section_questions'), await made.hashes('section_vectors')]).toEqual([3, 3])
    expect(await made.find('yacht', both)).not.toContain('boat.md')
  })

  it('says what it will take, without calling a model, and stops at the ceiling', async () => {
    await using made = await world()
    const settings = { ...both, ceiling: 0.3 }
    const { sections, work, ceiling } = await estimateEnrichment(
      { store: store(), models: made.models },
      made.projectId,
      settings,
    )
    expect([sections, work.map(({ sections: left }) => left), ceiling]).toEqual([4, [4, 4], 0.3])
    expect(work[0]?.cost).toBeGreaterThan(0.3)
    expect(made.server.asked).toEqual([])
    expect(await made.enrich(settings)).toMatchObject({ state: 'ceiling', error: /0\.3 USD/ })
    expect(made.server.asked).toEqual([])
    expect(await made.enrich({ ...settings, ceiling: 100 })).toMatchObject({ state: 'ready' })
  })

  it('goes on after a failure from what was written, and searches by words meanwhile', async () => {
    await using made = await world()
    await made.enrich({ vectors: both.vectors })
    made.server.failure = { status: 401, message: 'no such key' }
    const failed = await made.enrich(both)
    expect(failed).toMatchObject({ state: 'failed', done: 0, total: 4, error: /key/ })
    expect(Date.parse(failed.retryAt ?? '')).toBeGreaterThan(Date.now())
    expect((await made.find('automobile', both))[0]).toBe('car.md')
    expect(made.errors).toHaveLength(1)
    made.server.failure = undefined
    expect(await made.enrich(both)).toMatchObject({ state: 'ready', done: 4 })
    expect(made.server.embedded.filter((text) => text.includes('petrol'))).toHaveLength(1)
  })

  it('makes all vectors anew where the model behind the name makes others, and says so', async () => {
    await using made = await world()
    await made.enrich({ vectors: both.vectors })
    const first = made.sections().length
    await made.age()
    expect((await made.enrich({ vectors: both.vectors })).notice).toBeUndefined()
    expect(made.sections()).toHaveLength(first)
    // Shorter vectors, and vectors of the same length that mean something else.
    const usual = (text: string): number[] => Array.from({ length: 64 }, (_, at) => text.charCodeAt(at) || 1)
    const turned = (text: string): number[] => usual(text).map((value, at) => (at % 2 ? -value : value))
    for (const [times, embed, notice] of [
      [2, usual, 'has changed (64 dimensions instead of 256)'],
      [3, turned, 'returns different embeddings for the same text'],
    ] as const) {
      made.server.embed = embed
      await made.age()
      expect(await made.enrich({ vectors: both.vectors })).toMatchObject({
        state: 'ready',
        done: 4,
        notice: expect.stringContaining(notice),
      })
      expect(made.sections()).toHaveLength(times * first)
    }
    await made.age()
    expect((await made.enrich({ vectors: both.vectors })).notice).toBeUndefined()
  })

  it('looks at the model as soon as a question gets a vector that fits none', async () => {
    await using made = await world()
    await made.enrich({ vectors: both.vectors })
    expect((await made.enrich({ vectors: both.vectors })).checkAt).toBeDefined()
    made.server.embed = () => [1, 2, 3]
    expect((await made.find('automobile', { vectors: both.vectors }))[0]).toBe('car.md')
    await expect.poll(async () => (await made.row()).enrichment.checkAt).toBeUndefined()
    expect((await made.enrich({ vectors: both.vectors })).notice).toContain('3 dimensions instead of 256')
    expect(made.errors).toEqual([])
  })

  it('keeps what is ready in use while the model of vectors is away, and says that it was not compared', async () => {
    await using made = await world()
    const settings = { vectors: both.vectors }
    await made.enrich(settings)
    await made.age()
    made.server.failure = { status: 400, message: 'it is being moved' }
    const away = await made.enrich(settings)
    expect(away).toMatchObject({ state: 'ready', done: 4, total: 4 })
    expect(away.notice).toMatch(/^The embeddings stay in use, but could not be compared .*being moved/)
    expect(Date.parse(away.checkAt ?? '')).toBeGreaterThan(Date.now())
    // Nothing is made by a model that could not be looked at.
    await made.write({ 'car.md': 'A new text about the automobile.' })
    expect(await made.enrich(settings)).toMatchObject({ state: 'failed', error: expect.any(String) })
    made.server.failure = undefined
    const back = await made.enrich(settings)
    expect(back).toMatchObject({ state: 'ready', done: 4 })
    expect(back.notice).toBeUndefined()
  })

  it('is tried again when the provider says, and not minutes later', async () => {
    await using made = await world()
    made.server.failure = { status: 429, message: 'slow down', headers: { 'retry-after': '90' } }
    const { retryAt } = await made.enrich({ vectors: both.vectors })
    expect(Date.parse(retryAt ?? '') - Date.now()).toBeLessThan(91_000)
  })

  it('stops with its process, and leaves the project as it is', async () => {
    await using made = await world()
    await expect(made.enrich(both, AbortSignal.abort(new Error('stopping')))).rejects.toThrow('stopping')
    expect(await made.enrich(both)).toMatchObject({ state: 'ready' })
  })

  it('is done once by two processes that share the queue', async () => {
    await using made = await world()
    const { connection } = store()
    const other = typeof connection === 'string' ? await openPostgresStore(connection) : undefined
    const queues = await Promise.all(
      [store(), other ?? store()].map((one) => openQueue(one, () => undefined)),
    )
    const ran: number[] = []
    for (const [process, queue] of queues.entries())
      await queue.work('enrich', 1, async () => {
        await made.enrich(both)
        ran.push(process)
      })
    for (const queue of [...queues, ...queues])
      await store().transaction((tx) => queue.send(tx, 'enrich', made.projectId))
    await vi.waitFor(() => expect(ran).toHaveLength(4), { timeout: 120_000 })
    await Promise.all(queues.map((queue) => queue.stop(5)))
    await other?.[Symbol.asyncDispose]()
    expect(made.sections()).toHaveLength(4)
    expect(made.server.asked).toHaveLength(4)
  })
})
