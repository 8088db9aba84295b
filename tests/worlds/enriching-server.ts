import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { stemmer } from 'stemmer'
import { z } from 'zod'

/** A server of OpenAI's kind that makes vectors and writes questions, always the same for the same text. */
export interface EnrichingServer extends AsyncDisposable {
  url: string
  /** Texts that were turned into vectors, and sections that questions were asked for. */
  embedded: string[]
  asked: string[]
  /** Set to answer with it instead; undefined: all is well. */
  failure: { status: number; message: string; headers?: Record<string, string> } | undefined
  /** Set to make other vectors than before. */
  embed: ((text: string) => number[]) | undefined
  /** Waited for before vectors are sent. */
  before: (() => Promise<void>) | undefined
}

interface EnrichingScript {
  /** Words that mean the same: the first of each list stands for all. */
  synonyms?: string[][]
  /** What a model of questions answers about one section; by default nothing. */
  write?: (section: string) => string
  /** Makes the vector of a text, instead of hashed stems. */
  embed?: (text: string) => number[]
}

const embeddings = z.object({
  model: z.string(),
  input: z.union([z.string(), z.array(z.string())]),
  encoding_format: z.enum(['float', 'base64']).default('float'),
})
const chat = z.object({
  messages: z.array(z.object({ content: z.union([z.string(), z.array(z.object({ text: z.string() }))]) })),
})

export async function startEnrichingServer(script: EnrichingScript = {}): Promise<EnrichingServer> {
  const { synonyms = [], write = () => '' } = script
  const meaning = new Map(
    synonyms.flatMap(([first = '', ...rest]) => rest.map((word) => [stemmer(word), stemmer(first)])),
  )
  const embed = script.embed ?? ((one: string) => vectorOf(one, meaning))
  const state: EnrichingServer = {
    url: '',
    embedded: [],
    asked: [],
    failure: undefined,
    embed: undefined,
    before: undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  const server = createServer((request, response) => {
    void answer(request, response)
  })
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body: unknown = JSON.parse(await text(request))
    const send = (status: number, value: unknown, headers: Record<string, string> = {}): void =>
      void response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(value))
    if (state.failure !== undefined)
      return send(
        state.failure.status,
        { error: { message: state.failure.message, type: 'x', code: null } },
        state.failure.headers,
      )
    if (request.url?.endsWith('/embeddings')) {
      const { model, input, encoding_format: format } = embeddings.parse(body)
      const texts = [input].flat()
      state.embedded.push(...texts)
      await state.before?.()
      const data = texts.map((one, index) => {
        const vector = (state.embed ?? embed)(one)
        const embedding =
          format === 'float' ? vector : Buffer.from(Float32Array.from(vector).buffer).toString('base64')
        return { object: 'embedding', index, embedding }
      })
      const tokens = texts.reduce((sum, one) => sum + Math.ceil(one.length / 4), 0)
      // The vectors carry their place, and need not come in order.
      return send(200, {
        object: 'list',
        data: data.toReversed(),
        model,
        usage: { prompt_tokens: tokens, total_tokens: tokens },
      })
    }
    const last = chat.parse(body).messages.at(-1)?.content ?? ''
    const prompt = typeof last === 'string' ? last : last.map((part) => part.text).join('')
    const sections = prompt.split(/<section number="\d+">\n/).slice(1)
    state.asked.push(...sections)
    const content = sections.map((section, index) => `### ${index + 1}\n${write(section)}`).join('\n\n')
    send(200, {
      id: 'chat_1',
      object: 'chat.completion',
      created: 1,
      model: 'writer',
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 },
    })
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  state.url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1`
  return state
}

/** A bag of stems, hashed into signs of some numbers each, so that texts with the same words are near each other. */
function vectorOf(given: string, meaning: Map<string, string>): number[] {
  const dimensions = 256
  const vector = Array<number>(dimensions).fill(0)
  const counts = new Map<string, number>()
  for (const [word] of given.toLowerCase().matchAll(/[\p{L}\p{N}]{2,}/gu)) {
    const stem = stemmer(word)
    const stands = meaning.get(stem) ?? stem
    if (!common.has(stands)) counts.set(stands, (counts.get(stands) ?? 0) + 1)
  }
  for (const [stem, count] of counts) {
    let hash = 2166136261
    for (let turn = 0; turn < 8; turn++) {
      for (let at = 0; at < stem.length; at++) hash = Math.imul(hash ^ stem.charCodeAt(at), 16777619)
      hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0
      const place = hash % dimensions
      vector[place] = (vector[place] ?? 0) + (hash & 0x10000 ? 1 : -1) * Math.log1p(count)
    }
  }
  return vector
}

const common = new Set(
  'the a an of to in is it and or for on with how do i my be can you that this are what if from as by at when not'.split(
    ' ',
  ),
)
