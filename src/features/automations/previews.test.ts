import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeOnStore } from '../../../tests/stores.ts'
import { createRuleWorld, type RuleWorld } from '../../../tests/worlds/rule-world.ts'
import type { CodeRequest } from '../../integrations/forges/host.ts'
import type { Store } from '../../store/database.ts'
import { optOutOf } from './events/look-at-requests.ts'

const preview = '---\nname: Preview\ntype: code-changes\non:\n  pull: {}\n---\n'
const withJob = preview.replace('pull: {}', 'pull: { job: true }')

function request(over: Partial<CodeRequest> = {}): CodeRequest {
  return {
    number: 7,
    link: 'https://example.com/pull/7',
    title: 'Rename\u0007 it',
    body: '',
    head: 'rename',
    base: 'main',
    headCommit: '1'.repeat(40),
    isFork: false,
    author: 'mara',
    labels: [],
    updatedAt: new Date(Date.now() + 1000),
    ...over,
  }
}

const certain = (markdown: string): RuleWorld['touched'] => ({
  commits: 1,
  edited: [{ path: 'a.md' }],
  pages: [{ path: 'index.md', level: 'certain', findings: [{ places: [{ name: 'oldName' }] }] }],
  markdown,
})

describeOnStore('previews', (store) => {
  it('says what a pull request touches in one comment and a status, and edits it when commits are added', async () => {
    const world = await createRuleWorld(store())
    const [one, other] = [world.engine(), world.engine()]
    await world.rule(preview)
    world.touched = certain('**1 certain**')
    const look = async (): Promise<void> => {
      await one.noteSync(world.projectId, world.repository)
      await Promise.all(
        [one, other, one, other].map((engine) => engine.noteSync(world.projectId, world.repository)),
      )
      await Promise.all([one, other].map((engine) => engine.startRuns()))
      await Promise.all([one, other].map((engine) => engine.tellPreviews()))
    }
    world.requests = [request()]
    await look()
    await look()
    expect(world.errors).toEqual([])
    expect(world.said).toMatchObject([
      { number: 7, edits: 0, body: expect.stringMatching(/^\*\*1 certain\*\*/) as string },
    ])
    expect(world.statuses).toEqual([
      { commit: '1'.repeat(40), description: 'Documentation: 1 certain, 0 likely, 1 edited already' },
    ])
    world.touched = certain('**2 certain**')
    world.requests = [request({ headCommit: '2'.repeat(40) })]
    await look()
    expect(world.said).toMatchObject([{ edits: 1, body: expect.stringContaining('**2 certain**') as string }])
    expect(world.statuses).toHaveLength(2)
    expect(
      (await world.runs()).map(({ state, cause: { kind, title }, reasons }) => ({
        state,
        kind,
        title,
        reasons,
      })),
    ).toEqual(
      Array.from({ length: 2 }, () => ({
        state: 'no_change',
        kind: 'pull',
        title: 'Rename  it',
        reasons: ['Preview: 1 certain, 0 likely, 1 edited already.'],
      })),
    )
  })

  it('leaves out what opts out, what programs and this server opened, other branches, and what is older than the rule', async () => {
    const world = await createRuleWorld(store())
    const engine = world.engine()
    await world.rule(preview)
    world.requests = [
      request({ number: 1, labels: ['Docs: none'] }),
      request({ number: 2, author: 'renovate[bot]' }),
      request({ number: 3, head: 'docwright/update' }),
      request({ number: 4, base: 'release' }),
      request({ number: 5, updatedAt: new Date(0) }),
    ]
    await engine.noteSync(world.projectId, world.repository)
    await engine.startRuns()
    await engine.tellPreviews()
    expect(world.said).toEqual([])
    expect((await world.runs()).map(({ cause, reasons }) => [cause.number, reasons])).toEqual([
      [1, ['The pull request opts out: the label Docs: none']],
    ])
  })

  it('takes back what it said once the pull request opts out', async () => {
    const world = await createRuleWorld(store())
    const engine = world.engine()
    await world.rule(preview)
    for (const body of ['', 'Fixes it.\n\nDocs: none (only tests)']) {
      world.requests = [request({ body })]
      await engine.noteSync(world.projectId, world.repository)
      await engine.startRuns()
      await engine.tellPreviews()
    }
    expect(world.said).toMatchObject([
      { edits: 1, body: '**Documentation: left out, as the pull request asks for**' },
    ])
    expect((await world.runs())[0]?.reasons).toEqual(['The pull request opts out: only tests'])
  })

  it('starts a job for each pull request if the rule says so, none for a fork, and links its pull request', async () => {
    const world = await createRuleWorld(store())
    const engine = world.engine()
    await world.rule(withJob)
    world.touched = certain('**1 certain**')
    world.requests = [
      request(),
      request({ number: 8, isFork: true, head: 'docwright/evil' }),
      request({ number: 9 }),
    ]
    await engine.noteSync(world.projectId, world.repository)
    await engine.startRuns()
    await engine.tellPreviews()
    const runs = (await world.runs()).toSorted((a, b) => (a.cause.number ?? 0) - (b.cause.number ?? 0))
    expect(runs.map(({ state, job }) => [state, job?.turn])).toEqual([
      ['running', 1],
      ['no_change', undefined],
      ['running', 1],
    ])
    expect(runs[0]?.job?.id).not.toBe(runs[2]?.job?.id)
    expect(runs[1]?.reasons[1]).toBe('A pull request from a fork starts no job.')
    expect(world.said.find(({ number }) => number === 7)?.body).toContain('Documentation is being written.')
    await open(store(), runs[0]?.job?.id ?? '')
    await due(store())
    await engine.tellPreviews()
    await due(store())
    await engine.tellPreviews()
    const said = world.said.filter(({ number }) => number === 7)
    expect(said).toMatchObject([{ edits: 1 }])
    expect(said[0]?.body).toContain('**Documentation ready in [#12](https://example.com/docs/12)**')
    expect(world.errors).toEqual([])
  })

  it('says it later when the host is away', async () => {
    const world = await createRuleWorld(store())
    const engine = world.engine()
    await world.rule(preview)
    world.requests = [request()]
    await engine.noteSync(world.projectId, world.repository)
    await engine.startRuns()
    world.isAway = true
    await engine.tellPreviews()
    expect([world.said, world.errors.length]).toEqual([[], 1])
    world.isAway = false
    await engine.tellPreviews()
    expect(world.said).toEqual([])
    await due(store())
    await engine.tellPreviews()
    expect(world.said).toHaveLength(1)
  })
})

it('opts out by a label or by a line with a reason, and not by less', () => {
  const of = (body: string, labels: string[] = []) => optOutOf({ body, labels })
  expect(of('x\r\nDocs: none – internal\u001b[31m\r\n')).toBe('internal [31m')
  expect(of('', ['no-docs'])).toBe('the label no-docs')
  for (const body of ['docs: none', 'docs: none.', 'These docs: none of them', ''])
    expect(of(body)).toBeUndefined()
  expect(of(`docs: none ${'-'.repeat(100_000)}`.repeat(3))?.length ?? 0).toBeLessThanOrEqual(200)
})

async function open(store: Store, jobId: string): Promise<void> {
  const pull = { number: 12, link: 'https://example.com/docs/12', state: 'open' }
  await store.transaction((tx) =>
    tx
      .updateTable('jobs')
      .set({ status: 'completed', pull_request: sql`${JSON.stringify(pull)}::jsonb` })
      .where('id', '=', jobId)
      .execute(),
  )
}

async function due(store: Store): Promise<void> {
  await store.transaction((tx) =>
    tx
      .updateTable('automation_previews')
      .set({ due_at: sql<Date>`now()` })
      .where('due_at', 'is not', null)
      .execute(),
  )
}
