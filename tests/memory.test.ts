import { afterAll, beforeAll, expect, it } from 'vitest'
import { heapArguments, openHeapProbe, type HeapProbe } from './heap-probe.ts'
import { startModelMock, type ModelMock } from './model-mock.ts'
import { openRequestKinds, requestKinds, sendMany, type RequestKind } from './request-kinds.ts'
import { startServer, type TestServer } from './server.ts'
import { createTestDatabase } from './prepared-stores.ts'

/** Requests between two looks at the memory. */
const count = 100
/** Bytes that a request may leave behind: far less than its text. */
const most = 1000
/** Compiled code and caches also take memory, now and then: what stays of requests does so every time. */
const rounds = 5

let model: ModelMock
let server: TestServer
let probe: HeapProbe
let kinds: Map<string, RequestKind>

beforeAll(async () => {
  // Questions go to a hosted model; the built-in one answers those that name it.
  model = await startModelMock(() => Promise.resolve('Fine.'))
  const environment = {
    ...model.environment,
    DOCWRIGHT_ASSISTANT_MODEL: 'openai-chat:gpt-mock',
    DATABASE_URL: await createTestDatabase(),
  }
  server = await startServer({ nodeArguments: heapArguments, environment })
  probe = await openHeapProbe(server)
  kinds = new Map((await openRequestKinds(server)).map((kind) => [kind.name, kind]))
})
afterAll(async () => {
  probe[Symbol.dispose]()
  await server[Symbol.asyncDispose]()
  await model[Symbol.asyncDispose]()
})

it.each(requestKinds)('keeps nothing of a request that is over: %s', async (name) => {
  const kind = kinds.get(name)
  if (!kind) throw new Error(`There is no such kind: ${name}`)
  await sendMany(kind, count / 2)
  let before = await probe.bytesInUse()
  const kept: number[] = []
  for (let round = 0; round < rounds; round++) {
    await sendMany(kind, count)
    const now = await probe.bytesInUse()
    kept.push(Math.round((now - before) / count))
    before = now
    if ((kept.at(-1) ?? 0) <= most) break
  }
  // The last one alone tells of success; the others are shown when there is none.
  expect(kept.at(-1), `bytes a request, round by round: ${kept.join(', ')}`).toBeLessThanOrEqual(most)
})
