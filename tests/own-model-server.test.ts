import { afterEach, expect, it, vi } from 'vitest'
import { startServer, type TestServer } from './server.ts'
import { startOwnServer, type ChatBody, type Said } from './worlds/own-model-server.ts'

const patience = { timeout: 120_000, interval: 200 }
let server: TestServer | undefined

afterEach(async () => {
  await server?.[Symbol.asyncDispose]()
  server = undefined
})

async function productWith(url: string, environment: Record<string, string> = {}): Promise<TestServer> {
  server = await startServer({
    environment: { DOCWRIGHT_MODEL: 'compatible:m', OPENAI_COMPATIBLE_BASE_URL: `${url}/v1`, ...environment },
  })
  return server
}

type Turn = { role: string; text: string }

/** @returns all that the stream of an answer holds */
async function ask(
  { welcome, request }: TestServer,
  fp: string,
  turns: Turn[] = [{ role: 'user', text: 'How do I start with the quickstart?' }],
): Promise<string> {
  const messages = turns.map(({ role, text }) => ({ role, parts: [{ type: 'text', text }] }))
  const { assistantKey: key, domain } = welcome
  const answer = await request('POST', `/discovery/v2/assistant/${domain}/message`, {
    key,
    body: { fp, messages },
  })
  return answer.text()
}

/** A job to its end. */
async function work({ welcome, request }: TestServer, prompt: string) {
  const { adminKey: key, projectId } = welcome
  const path = `/v2/agent/${projectId}/job`
  const { id } = (await (await request('POST', path, { key, body: { prompt } })).json()) as { id: string }
  const read = async () => {
    const response = await request('GET', `${path}/${id}`, { key })
    const job = (await response.json()) as { status: string; failure?: { message: string; code: string } }
    expect(job.status).not.toMatch(/queued|active/)
    return job
  }
  return vi.waitFor(read, patience)
}

const isJob = ({ messages }: ChatBody): boolean =>
  !/documentation assistant of|You write search queries/.test(JSON.stringify(messages))
const isWriter = ({ messages }: ChatBody): boolean =>
  JSON.stringify(messages).includes('You write search queries')

const finish = { name: 'finish', input: { title: 'Done', summary: 'Fine.', noChange: true } }

/** A job that reads a few pages and ends, and an answer with a link. */
function usual(body: ChatBody): Said {
  if (isWriter(body)) return { content: 'quickstart' }
  if (!isJob(body)) return { content: 'The model says: start [here](/quickstart).' }
  const steps = body.messages.filter(({ role }) => role === 'assistant').length
  return {
    calls: [steps < 5 ? { name: 'read_file', input: { path: 'quickstart.mdx' } } : finish],
  }
}

const pause = (): Promise<void> => new Promise((done) => setTimeout(done, 100))

it('answers eight readers on one slot by the model, one after the other, while a job ends too', async () => {
  await using model = await startOwnServer({
    async say(body) {
      await pause()
      return usual(body)
    },
  })
  const product = await productWith(model.url)
  const readers = Array.from({ length: 8 }, (_, n) => `reader-${n}`)
  const answers = await Promise.all(readers.map((fp) => ask(product, fp)))
  for (const answer of answers) expect(answer).toContain('The model says')
  expect(answers.some((answer) => answer.includes('"state":"waiting"'))).toBe(true)
  expect(model.most()).toBe(1)
  const [job, ...more] = await Promise.all([
    work(product, 'Look at the quickstart.'),
    ...readers.map((fp) => ask(product, fp)),
  ])
  expect(job).toMatchObject({ status: 'completed' })
  for (const answer of more) expect(answer).toContain('The model says')
  expect(model.most()).toBe(1)
})

/** An answer that is read piece by piece. */
async function openAnswer({ url, welcome }: TestServer, fp: string, text: string, signal?: AbortSignal) {
  const { assistantKey: key, domain } = welcome
  const messages = [{ role: 'user', parts: [{ type: 'text', text }] }]
  const response = await fetch(`${url}/discovery/v2/assistant/${domain}/message`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ fp, messages }),
    ...(signal && { signal }),
  })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let seen = ''
  return {
    /** @returns all that was read, which ends with the piece that holds `part` */
    async readTo(part: string): Promise<string> {
      while (!seen.includes(part)) {
        const { done = true, value = '' } = (await reader?.read()) ?? {}
        if (done) throw new Error(`the answer ended without ${part}: ${seen}`)
        seen += value
      }
      return seen
    },
  }
}

it('frees the place of a reader who leaves while waiting', async () => {
  const gate = Promise.withResolvers<void>()
  await using model = await startOwnServer({
    async say(body) {
      // What writes queries is given up after a while, and frees its place then.
      if (!isWriter(body)) await gate.promise
      return usual(body)
    },
  })
  const product = await productWith(model.url)
  const first = ask(product, 'first')
  await vi.waitFor(() => expect(model.bodies.filter((body) => !isWriter(body))).toHaveLength(1), patience)
  const leaving = new AbortController()
  const leaver = await openAnswer(product, 'leaver', 'How do I leave?', leaving.signal)
  await leaver.readTo('"state":"waiting"')
  const third = await openAnswer(product, 'third', 'How do I start with the quickstart?')
  const [, ahead] = /"ahead":(\d+)/.exec(await third.readTo('"ahead":')) ?? []
  leaving.abort()
  await third.readTo(`"ahead":${Number(ahead) - 1}`)
  gate.resolve()
  expect(await first).toContain('The model says')
  await third.readTo('The model says')
  expect(JSON.stringify(model.bodies)).not.toContain('How do I leave?')
  await vi.waitFor(() => expect(model.open()).toBe(0), patience)
})

it('works on a job with a window of 8,192 tokens, whatever it reads', async () => {
  await using model = await startOwnServer({
    window: 8192,
    say() {
      const steps = model.bodies.length
      if (steps === 1) {
        const content = `# Long\n\n${'A line of the page that says something.\n'.repeat(250)}`
        return { calls: [{ name: 'write_file', input: { path: 'long.md', content } }] }
      }
      const read = { name: 'read_file', input: { path: 'long.md', startLine: steps } }
      if (steps < 12)
        return { calls: [read, { name: 'grep', input: { pattern: `line|${steps}`, regex: true } }] }
      return { calls: [{ name: 'finish', input: { title: 'Add a page', summary: 'Added.' } }] }
    },
  })
  const product = await productWith(model.url)
  const job = await work(product, 'Write a long page.')
  expect(job.status).toBe('completed')
  // All that was sent had room.
  expect(model.refused()).toBe(0)
  expect(model.bodies.length).toBeGreaterThan(10)
})

it('ends a job at once with the words of a server whose template refuses', async () => {
  const refusals = [
    [500, 'Jinja Exception: Conversation roles must alternate user/assistant/user/assistant/...'],
    [500, 'Value is not callable: null at row 12, column 30'],
    [400, 'Jinja Exception: After the optional system message, conversation roles must alternate'],
  ] as const
  let [status, message]: readonly [number, string] = refusals[0]
  await using model = await startOwnServer({ say: usual, refuse: () => ({ status, message }) })
  const product = await productWith(model.url)
  for (const [n, refusal] of refusals.entries()) {
    ;[status, message] = refusal
    const job = await work(product, 'Look.')
    expect(job.status).toBe('failed')
    expect(job.failure?.message).toContain(message)
    expect(model.refused()).toBe(n + 1)
  }
})

it('notices that a server leaves out what does not fit, and answers all the same', async () => {
  await using model = await startOwnServer({ cuts: true, window: 4096, say: usual })
  const product = await productWith(model.url)
  const words = 'Some words about the quickstart and what comes after it. '.repeat(60)
  const turns = Array.from({ length: 21 }, (_, n) => ({
    role: n % 2 ? 'assistant' : 'user',
    text: `${n} ${words}`,
  }))
  expect(await ask(product, 'a', turns)).toContain('The model says')
  expect(product.output()).toContain('leaves out what does not fit')
  expect(await ask(product, 'b', turns)).toContain('The model says')
  const sizes = model.bodies.filter((body) => !isWriter(body)).map((body) => JSON.stringify(body).length)
  // From then on, nothing is left out.
  expect(sizes[0]).toBeGreaterThan(4 * 4096)
  expect(sizes.at(-1)).toBeLessThan(4 * 4096)
})
