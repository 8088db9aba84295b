import { expect, it } from 'vitest'
import { startEnrichingServer } from '../../../tests/worlds/enriching-server.ts'
import { createModels } from '../../start/models/models.ts'
import { readConfig } from '../../config.ts'

const signal = new AbortController().signal
const plain = { signal, retries: 0 }

function modelsAt(url: string) {
  return createModels(
    readConfig({
      OPENAI_COMPATIBLE_BASE_URL: url,
      OPENAI_API_KEY: 'sk-test-123456',
      OPENAI_BASE_URL: url,
      ANTHROPIC_API_KEY: 'x',
    }),
  )
}

it('makes vectors in the order of the texts, and counts their tokens', async () => {
  await using server = await startEnrichingServer()
  const models = modelsAt(server.url)
  for (const name of ['compatible:some', 'openai:text-embedding-3-small']) {
    const embedder = models.findEmbedder(name)
    const { vectors, tokens } = await embedder.embed(['apples and pears', 'ships'], 'document', plain)
    const [first] = (await embedder.embed(['apples and pears'], 'query', plain)).vectors
    expect(vectors[0]).toEqual(first)
    expect(vectors[1]).not.toEqual(first)
    expect(tokens).toBe(6)
  }
})

it('tells models that want to know it what a text is', async () => {
  await using server = await startEnrichingServer()
  const models = modelsAt(server.url)
  await models.findEmbedder('compatible:intfloat/multilingual-e5-large').embed(['x'], 'query', plain)
  await models.findEmbedder('compatible:nomic-embed-text').embed(['x'], 'document', plain)
  expect(server.embedded).toEqual(['query: x', 'search_document: x'])
})

it('says what is wrong with a name, a key and an answer', async () => {
  await using server = await startEnrichingServer()
  const models = modelsAt(server.url)
  expect(() => models.findEmbedder('builtin')).toThrow('openai:text-embedding-3-small')
  expect(() => models.findEmbedder('anthropic:claude-haiku-4-5')).toThrow('offers no embedding models')
  expect(() => models.findEmbedder('google:gemini-embedding-001')).toThrow('GOOGLE_GENERATIVE_AI_API_KEY')
  server.failure = { status: 401, message: 'wrong key sk-test-123456' }
  const failed = models.findEmbedder('openai:text-embedding-3-small').embed(['x'], 'query', plain)
  await expect(failed).rejects.toMatchObject({ kind: 'key', passing: false })
  await expect(failed).rejects.not.toThrow('sk-test-123456')
  await expect(
    models
      .findEmbedder('compatible:some')
      .embed(['x'], 'query', { signal: AbortSignal.abort(new Error('gone')), retries: 0 }),
  ).rejects.toThrow('gone')
})
