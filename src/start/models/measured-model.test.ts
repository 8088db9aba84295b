import { afterEach, beforeEach, expect, it } from 'vitest'
import { MockLanguageModelV4 } from 'ai/test'
import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { ModelTrouble } from '../../integrations/models/trouble.ts'
import { measureWith, type Measured } from '../../lib/trace.ts'
import { measuredModel } from './measured-model.ts'

const seen: Measured[] = []
beforeEach(() => measureWith((one) => seen.push(one)))
afterEach(() => {
  measureWith(() => undefined)
  seen.length = 0
})

const finish: LanguageModelV4StreamPart = {
  type: 'finish',
  finishReason: { unified: 'stop', raw: 'stop' },
  usage: {
    inputTokens: { total: 90, noCache: 60, cacheRead: 30, cacheWrite: 0 },
    outputTokens: { total: 5, text: 5, reasoning: 0 },
  },
}
const text: LanguageModelV4StreamPart = { type: 'text-delta', id: '1', delta: 'Words of the answer' }

/** @param pieces an error breaks the stream off */
async function open(pieces: (LanguageModelV4StreamPart | Error)[], signal?: AbortSignal) {
  const left = [...pieces]
  const stream = new ReadableStream<LanguageModelV4StreamPart>({
    pull(controller) {
      const piece = left.shift()
      if (piece === undefined) controller.close()
      else if (piece instanceof Error) controller.error(piece)
      else controller.enqueue(piece)
    },
  })
  const model = measuredModel(new MockLanguageModelV4({ doStream: () => Promise.resolve({ stream }) }), {
    name: 'google:gemini',
    provider: 'google',
    id: 'gemini',
    purpose: 'assistant',
    costOf: () => 1_500_000,
  })
  const options: LanguageModelV4CallOptions = { prompt: [], ...(signal && { abortSignal: signal }) }
  return (await model.doStream(options)).stream.getReader()
}

it('measures a stream to its end, with its tokens and cost and without its text', async () => {
  const reader = await open([text, finish])
  await reader.read()
  expect(seen).toEqual([])
  while (!(await reader.read()).done);
  expect(seen).toHaveLength(1)
  expect(seen[0]?.values).toMatchObject({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'gcp.gemini',
    'gen_ai.request.model': 'gemini',
    'gen_ai.usage.input_tokens': 90,
    'gen_ai.usage.cache_read.input_tokens': 30,
    'gen_ai.usage.output_tokens': 5,
    'gen_ai.response.finish_reasons': ['stop'],
    'docwright.purpose': 'assistant',
    'docwright.cost': 1.5,
  })
  expect(seen[0]?.values).toHaveProperty(['gen_ai.response.time_to_first_chunk'])
  expect(JSON.stringify(seen)).not.toContain('Words')
})

it('says once why a stream did not come to its end', async () => {
  const told = await open([text, { type: 'error', error: new ModelTrouble('rate', 'too many') }])
  while (!(await told.read()).done);
  const broken = await open([text, new TypeError('terminated')])
  await broken.read()
  await expect(broken.read()).rejects.toThrow('terminated')
  const stopped = new AbortController()
  const given = await open([text, text], stopped.signal)
  stopped.abort(new Error('the reader has left'))
  await given.cancel()
  const late = new AbortController()
  const slow = await open([text, text], late.signal)
  late.abort(new ModelTrouble('timeout', 'late'))
  await slow.cancel()
  expect(seen.map(({ values }) => values['error.type'])).toEqual(['rate', 'TypeError', 'aborted', 'timeout'])
})
