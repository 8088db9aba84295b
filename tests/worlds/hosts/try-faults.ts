import { expect, it } from 'vitest'
import type { ForgeWorld } from './forge-contract.ts'
import type { HostedRepository } from '../../../src/integrations/forges/host.ts'
import type { DescribedServer, Trouble } from './described-server.ts'

/** A host before which each call of an adapter meets everything that goes wrong. */
export interface FaultyWorld extends ForgeWorld {
  hosted: HostedRepository
  fake: {
    server: DescribedServer
    hooks: unknown[]
    statuses: unknown[]
    pulls: { title: string; body: string; labels: unknown[] }[]
  }
  comments: () => { body: string; reactions: string[] }[]
}

const secondary = {
  status: 403,
  headers: { 'retry-after': '1' },
  body: { message: 'You have exceeded a secondary rate limit', documentation_url: '', url: '' },
}
const limited = { status: 429, headers: { 'retry-after': '1' }, body: { message: 'Slow down', url: '' } }
const broken = { status: 502, body: { message: 'Server Error', url: '' } }
const expired = { status: 401, body: { message: 'Bad credentials', url: '' } }

const passing: [name: string, trouble: Pick<Trouble, 'happens' | 'as'>][] = [
  ['no answer', { happens: 'before', as: 'hang' }],
  ['no answer though it was done', { happens: 'after', as: 'hang' }],
  ['a broken connection', { happens: 'before', as: 'drop' }],
  ['a broken connection after it was done', { happens: 'after', as: 'drop' }],
  ['a server error', { happens: 'before', as: broken }],
  ['a server error after it was done', { happens: 'after', as: broken }],
  ['half an answer', { happens: 'after', as: 'truncate' }],
  ['a rate limit', { happens: 'before', as: limited }],
  ['a secondary rate limit', { happens: 'before', as: secondary }],
]

/**
 * What a call asks of the host that makes a difference, or what it reads; `effects` counts what came of it, and is one
 * however often it was tried.
 */
interface Call {
  method: string
  path: RegExp
  run: (world: FaultyWorld, number: number) => Promise<unknown>
  effects: (world: FaultyWorld) => number
}

const text = { title: 'Say more', body: 'Why' }
const commit = 'a'.repeat(40)
const status = { state: 'success', description: 'Done', link: 'https://docwright.example/jobs/1' } as const

/** Of what only reads. */
const none = (): number => 1

/** Calls on the request of the branch `work`, which is open; that of the branch `next` is not. */
const calls: Record<string, Call> = {
  'opening a request': {
    method: 'POST',
    path: /\/pulls$/,
    run: ({ forge }) => forge.open({ ...text, head: 'next', base: 'main', draft: false, labels: ['Docs'] }),
    effects: ({ fake }) => fake.pulls.length - 1 + Number(fake.pulls[1]?.labels.length === 0),
  },
  'changing a request': {
    method: 'PATCH',
    path: /\/pulls\/1$/,
    run: ({ forge }, number) => forge.update(number, { body: 'New' }),
    effects: ({ fake }) => Number(fake.pulls[0]?.body.includes('New')),
  },
  'finding a request': {
    method: 'GET',
    path: /\/pulls$/,
    run: async ({ forge }) => expect(await forge.findByHead('work')).toMatchObject({ number: 1 }),
    effects: none,
  },
  'reading a request': {
    method: 'GET',
    path: /\/pulls\/1$/,
    run: async ({ forge }, number) => expect(await forge.read(number)).toMatchObject({ state: 'open' }),
    effects: none,
  },
  'listing its files': {
    method: 'GET',
    path: /\/files$/,
    run: async ({ forge }, number) => expect(await forge.changedPaths(number)).toEqual(['work.md']),
    effects: none,
  },
  'reading comments': {
    method: 'GET',
    path: /\/issues\/1\/comments$/,
    run: async ({ forge }, number) => expect(await forge.commentsSince(number, undefined)).toHaveLength(1),
    effects: none,
  },
  commenting: {
    method: 'POST',
    path: /\/issues\/1\/comments$/,
    run: ({ hosted }, number) => hosted.postComment(number, 'Done', 'turn-1'),
    effects: ({ comments }) => comments().filter(({ body }) => body.endsWith('Done')).length,
  },
  reacting: {
    method: 'POST',
    path: /\/reactions$/,
    async run({ forge, hosted }, number) {
      const [comment] = await forge.commentsSince(number, undefined)
      await hosted.react(number, comment?.id ?? '')
    },
    effects: ({ comments }) => comments().flatMap(({ reactions }) => reactions).length,
  },
  'setting a status': {
    method: 'POST',
    path: /\/statuses\//,
    run: ({ hosted }) => hosted.setStatus(commit, status),
    // The newest counts, so two are as good as one.
    effects: ({ fake }) => Math.min(1, fake.statuses.length),
  },
  'setting up a webhook': {
    method: 'POST',
    path: /\/hooks$/,
    run: async ({ hosted }) =>
      expect(await hosted.ensureWebhook('https://docwright.example/hooks/1', 'secret')).toBe(true),
    effects: ({ fake }) => fake.hooks.length,
  },
}

/** For tests of adapters: call it inside `describe`. */
export function testFaults(createWorld: () => Promise<FaultyWorld>): void {
  const prepare = async (world: FaultyWorld): Promise<number> => {
    for (const head of ['work', 'next']) await world.push(head, `${head}.md`, head)
    const { number } = await world.forge.open({ ...text, head: 'work', base: 'main', draft: false })
    await world.comment(number, 'Please do')
    return number
  }

  it.each(Object.entries(calls))('survives whatever goes wrong while %s', async (_name, call) => {
    await using world = await createWorld()
    const number = await prepare(world)
    const reset = keepState(world)
    for (const [name, trouble] of passing) {
      if (call.effects === none && trouble.happens === 'after' && trouble.as !== 'truncate') continue
      reset()
      world.fake.server.troubles.push({ ...trouble, matches: matcher(call) })
      await call.run(world, number)
      expect(world.fake.server.troubles, name).toEqual([])
      expect(call.effects(world), name).toBe(1)
      await call.run(world, number)
      expect(call.effects(world), `${name}, and again`).toBe(1)
    }
    reset()
    world.fake.server.troubles.push({ happens: 'before', as: expired, matches: matcher(call) })
    await expect(call.run(world, number)).rejects.toMatchObject({
      code: 'unauthorized',
      message: expect.stringContaining('Update or replace it'),
    })
    // With a new token.
    await call.run(world, number)
    expect(call.effects(world)).toBe(1)
  })
}

/** @returns what puts it all back as it was */
function keepState(world: FaultyWorld): () => void {
  const lists: unknown[][] = [world.fake.pulls, world.fake.hooks, world.fake.statuses, world.comments()]
  const kept = structuredClone(lists)
  return () =>
    lists.forEach((list, index) => list.splice(0, list.length, ...structuredClone(kept[index] ?? [])))
}

function matcher({ method, path }: Call): Trouble['matches'] {
  return (request) => request.method === method && path.test(request.path)
}
