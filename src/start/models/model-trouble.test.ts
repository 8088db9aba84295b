import { generateText, streamText } from 'ai'
import { describe, expect, it } from 'vitest'
import { describeTrouble, isContextOverflow, isOutage } from '../../integrations/models/model-trouble.ts'
import { withTerms } from '../../integrations/models/call-terms.ts'
import { wires } from '../../../tests/worlds/model-wires.ts'
import { events, hang, json, modelsAt, openProvider, piecesOf, secret } from '../../../tests/worlds/models.ts'

const limited = (headers: Record<string, string>) => json(429, { error: { message: 'slow down' } }, headers)
const broken = json(500, { error: { message: 'it broke' } })
const prompt = 'Say hello'
const nothing = (): undefined => undefined

describe.each(wires)('$name', ({ name, answer, stream }) => {
  it('waits as it is told and then gets its answer, with what came from the cache', async () => {
    const inASecond = new Date(Date.now() + 1500).toUTCString()
    await using provider = await openProvider([
      limited({ 'retry-after-ms': '20' }),
      limited({ 'retry-after': '0.02' }),
      limited({ 'retry-after': inASecond }),
      answer,
    ])
    const { text, usage } = await generateText({ model: modelsAt(provider.url).find(name), prompt })
    expect(text).toBe('Hello')
    expect(provider.seen).toHaveLength(4)
    expect(usage).toMatchObject({
      inputTokens: 1000,
      outputTokens: 5,
      inputTokenDetails: { cacheReadTokens: 600 },
    })
  })

  it('does not ask a provider again that wants to be left alone for long', async () => {
    await using provider = await openProvider([limited({ 'retry-after': '600' }), answer])
    const error = await failure(generateText({ model: modelsAt(provider.url).find(name), prompt }))
    expect(isOutage(error)).toBe(true)
    expect(describeTrouble(error, name)).toContain('limits the rate')
    expect(provider.seen).toHaveLength(1)
  })

  it('does not wait for longer than its caller does', async () => {
    await using provider = await openProvider([limited({ 'retry-after': '1.5' }), answer])
    const error = await failure(
      generateText({
        model: modelsAt(provider.url).find(name),
        prompt,
        providerOptions: withTerms({ patience: 1000 }),
      }),
    )
    expect(describeTrouble(error, name)).toContain('limits the rate')
    expect(provider.seen).toHaveLength(1)
  })

  it('gives up after four tries, whatever the SDK is told about tries', async () => {
    await using provider = await openProvider([broken])
    const model = modelsAt(provider.url).find(name)
    const error = await failure(generateText({ model, prompt, maxRetries: 2 }))
    expect(provider.seen).toHaveLength(4)
    expect(isOutage(error)).toBe(true)
    expect(describeTrouble(error, name)).toBe(
      `The provider of ${name} has trouble or is overloaded: try again later (it broke)`,
    )
  })

  it('streams after tries, with usage', async () => {
    await using provider = await openProvider([broken, stream])
    const result = streamText({ model: modelsAt(provider.url).find(name), prompt, onError: nothing })
    expect(await result.text).toBe('Hello')
    expect(await result.usage).toMatchObject({
      inputTokens: 1000,
      inputTokenDetails: { cacheReadTokens: 600 },
    })
    expect(provider.seen).toHaveLength(2)
  })

  it('refuses a wrong key at once and never repeats it', async () => {
    await using provider = await openProvider([
      json(401, { error: { message: `Incorrect API key: ${secret}` } }),
    ])
    const environment = { OPENAI_COMPATIBLE_API_KEY: secret }
    const error = await failure(
      generateText({ model: modelsAt(provider.url, environment).find(name), prompt }),
    )
    expect(provider.seen).toHaveLength(1)
    expect(JSON.stringify(provider.seen[0]?.headers)).toContain(secret)
    expect(isOutage(error)).toBe(false)
    expect(describeTrouble(error, name)).toMatch(/refused the key: set [A-Z_]+_KEY \(or [A-Z_]+_KEY_FILE\)/)
    expect(everythingOf(error)).not.toContain(secret)
    expect(everythingOf(error)).not.toContain(prompt)
  })

  it('ends with the signal while the provider hangs after its headers', async () => {
    await using provider = await openProvider([hang('application/json'), hang('text/event-stream')])
    const model = modelsAt(provider.url).find(name)
    const stop = new AbortController()
    const asked = failure(generateText({ model, prompt, abortSignal: stop.signal }))
    await until(() => provider.seen.length === 1)
    stop.abort(new Error('enough'))
    expect(String(await asked)).toMatch(/enough|abort/i)

    const leave = new AbortController()
    const streamed = failure(
      streamText({ model, prompt, abortSignal: leave.signal, onError: nothing, maxRetries: 0 }).text,
    )
    await until(() => provider.seen.length === 2)
    leave.abort(new Error('enough'))
    expect(String(await streamed)).toMatch(/enough|abort|no output/i)
  })

  it('stops waiting between tries with the signal', async () => {
    await using provider = await openProvider([limited({ 'retry-after': '1.9' })])
    const stop = new AbortController()
    const asked = failure(
      generateText({ model: modelsAt(provider.url).find(name), prompt, abortSignal: stop.signal }),
    )
    await until(() => provider.seen.length === 1)
    stop.abort(new Error('enough'))
    expect(String(await asked)).toMatch(/enough|abort/i)
    expect(provider.seen).toHaveLength(1)
  })
})

it('begins a stream anew that fails before it brings anything, and not one that has brought text', async () => {
  const overloaded = { error: { message: 'Overloaded', type: 'overloaded_error', code: 529 } }
  const piece = { id: '1', created: 1, model: 'm', object: 'chat.completion.chunk' }
  const text = { ...piece, choices: [{ index: 0, delta: { content: 'Half' }, finish_reason: null }] }
  const [, , , , compatible] = wires
  await using provider = await openProvider([
    events(overloaded),
    compatible?.stream ?? broken,
    events(text, overloaded),
  ])
  const model = modelsAt(provider.url).find('compatible:some')
  expect(await streamText({ model, prompt, onError: nothing }).text).toBe('Hello')
  const errors: unknown[] = []
  const result = streamText({ model, prompt, onError: ({ error }) => void errors.push(error) })
  expect((await piecesOf(result.textStream)).join('')).toBe('Half')
  expect(errors).toHaveLength(1)
  expect(isOutage(errors[0])).toBe(true)
  expect(provider.seen).toHaveLength(3)
})

it('takes a connection that is cut in the middle of an answer for an outage', async () => {
  await using provider = await openProvider([
    (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(
        'data: {"id":"1","created":1,"model":"m","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"Half"},"finish_reason":null}]}\n\n',
        () => response.destroy(),
      )
    },
  ])
  const model = modelsAt(provider.url).find('compatible:some')
  const result = streamText({ model, prompt, onError: nothing })
  const pieces: string[] = []
  const error = await failure(piecesOf(result.textStream, pieces))
  expect(pieces).toEqual(['Half'])
  expect(isOutage(error)).toBe(true)
  expect(describeTrouble(error, 'compatible:some')).toContain('broke off')
  expect(provider.seen).toHaveLength(1)
})

it.each([
  [
    404,
    'anthropic:claude-nope',
    { type: 'error', error: { type: 'not_found_error', message: 'model: claude-nope' } },
    /does not know this model: check the name/,
  ],
  [
    400,
    'openrouter:no/such',
    { error: { message: 'no/such is not a valid model ID', code: 400 } },
    /does not know this model/,
  ],
  [
    404,
    'compatible:some',
    'page not found',
    /check OPENAI_COMPATIBLE_BASE_URL, now http:\/\/127.0.0.1:\d+\/v1; it usually ends in \/v1/,
  ],
  [
    400,
    'google:gemini-2.5-flash',
    {
      error: {
        code: 400,
        message: 'API key not valid. Please pass a valid API key.',
        status: 'INVALID_ARGUMENT',
      },
    },
    /refused the key: set GOOGLE_GENERATIVE_AI_API_KEY/,
  ],
  [401, 'compatible:some', { error: { message: 'no key' } }, /asks for a key: set OPENAI_COMPATIBLE_API_KEY/],
  [
    403,
    'openai:gpt-5.5',
    { error: { message: 'Project has no access' } },
    /does not let this key use the model.*Project has no access/,
  ],
  [
    400,
    'ollama:gemma',
    { error: { message: 'registry.ollama.ai/library/gemma does not support tools' } },
    /cannot call tools here/,
  ],
  [
    400,
    'compatible:some',
    {
      error: {
        message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
      },
    },
    /cannot call tools here/,
  ],
  [
    404,
    'openrouter:some/small',
    { error: { message: 'No endpoints found that support tool use.', code: 404 } },
    /cannot call tools here/,
  ],
  [
    200,
    'compatible:some',
    '<html>Sign in</html>',
    /could not be understood: check that OPENAI_COMPATIBLE_BASE_URL/,
  ],
])('explains %i of %s in a sentence', async (status, name, body, sentence) => {
  await using provider = await openProvider([json(status, body)])
  const error = await failure(generateText({ model: modelsAt(provider.url).find(name), prompt }))
  expect(describeTrouble(error, name)).toMatch(sentence)
  expect(isContextOverflow(error)).toBe(false)
  expect(provider.seen).toHaveLength(1)
})

it.each([
  [
    400,
    'anthropic:claude-sonnet-4-5',
    {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' },
    },
  ],
  [
    400,
    'openai:gpt-5.5',
    {
      error: {
        message: 'Your input exceeds the context window of this model.',
        code: 'context_length_exceeded',
      },
    },
  ],
  [
    400,
    'google:gemini-2.5-flash',
    {
      error: {
        code: 400,
        message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
        status: 'INVALID_ARGUMENT',
      },
    },
  ],
  [
    400,
    'compatible:some',
    {
      error: {
        code: 400,
        message: 'the request exceeds the available context size. try increasing the context size',
        type: 'exceed_context_size_error',
      },
    },
  ],
  [
    400,
    'compatible:some',
    {
      object: 'error',
      message: "This model's maximum context length is 8192 tokens.",
      type: 'BadRequestError',
      code: 400,
    },
  ],
])('knows a conversation that is too long, as %i of %s', async (status, name, body) => {
  await using provider = await openProvider([json(status, body)])
  const error = await failure(generateText({ model: modelsAt(provider.url).find(name), prompt }))
  expect(isContextOverflow(error)).toBe(true)
  expect(isOutage(error)).toBe(false)
})

it.each([
  [
    429,
    'openai:gpt-5.5',
    {
      error: {
        message: 'You exceeded your current quota',
        type: 'insufficient_quota',
        code: 'insufficient_quota',
      },
    },
  ],
  [
    400,
    'anthropic:claude-sonnet-4-5',
    {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'Your credit balance is too low to access the Anthropic API.',
      },
    },
  ],
  [402, 'openrouter:a/b', { error: { message: 'Insufficient credits', code: 402 } }],
])(
  'lets another model take over without more tries where the account is empty, as %i of %s',
  async (status, name, body) => {
    await using provider = await openProvider([json(status, body)])
    const error = await failure(generateText({ model: modelsAt(provider.url).find(name), prompt }))
    expect(isOutage(error)).toBe(true)
    expect(describeTrouble(error, name)).toContain('no quota or credit left')
    expect(provider.seen).toHaveLength(1)
  },
)

it('names the variable and the address of a server that is not there', async () => {
  const { url } = await openProvider([broken]).then(async (provider) => {
    await provider[Symbol.asyncDispose]()
    return provider
  })
  const error = await failure(generateText({ model: modelsAt(url).find('compatible:some'), prompt }))
  expect(isOutage(error)).toBe(true)
  expect(describeTrouble(error, 'compatible:some')).toContain(`${url}/v1 cannot be reached`)
  expect(describeTrouble(error, 'compatible:some')).toContain('OPENAI_COMPATIBLE_BASE_URL')
})

it('takes a deadline of the caller for an outage and a cancel for none', () => {
  expect(isOutage(new DOMException('too slow', 'TimeoutError'))).toBe(true)
  expect(isOutage(new DOMException('stopped', 'AbortError'))).toBe(false)
  expect(isOutage(new Error('a defect'))).toBe(false)
})

async function failure(work: PromiseLike<unknown>): Promise<unknown> {
  return Promise.resolve(work).then(
    () => expect.unreachable('it did not fail'),
    (error: unknown) => error,
  )
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => void setTimeout(resolve, 5))
}

/** Whatever a log could print of it. */
function everythingOf(error: unknown): string {
  const parts: unknown[] = []
  for (let current: unknown = error; current instanceof Error; current = current.cause)
    parts.push(current.message, current.stack, Object.entries(current))
  return JSON.stringify(parts)
}
