import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeOnStore } from '../../../tests/stores.ts'
import { createRuleWorld, type RuleWorld } from '../../../tests/worlds/rule-world.ts'
import type { CodeRequest } from '../../integrations/forges/host.ts'
import type { Store } from '../../store/database.ts'
import { optOutOf } from './previews/opt-out.ts'

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
    expect(said[0]?.body).toMatch(
      /^\*\*Documentation ready in \[#12\]\(https:\/\/example\.com\/docs\/12\)\*\*\n\n\*\*1 certain/,
    )
    expect(world.errors).toEqual([])
  })

  it('brings the pull request of the documentation up to date, and lets it follow that of the code once', async () => {
    const world = await createRuleWorld(store())
    const [one, other] = [world.engine(), world.engine()]
    await world.rule(withJob)
    world.touched = certain('**1 certain**')
    world.requests = [request(), request({ number: 9 })]
    const look = async (): Promise<void> => {
      await Promise.all([one, other].map((engine) => engine.noteSync(world.projectId, world.repository)))
      await Promise.all([one, other].map((engine) => engine.startRuns()))
      await due(store())
      await Promise.all([one, other].map((engine) => engine.tellPreviews()))
    }
    await look()
    const jobs = new Map((await world.runs()).map(({ cause, job }) => [cause.number, job?.id ?? '']))
    const [seven = '', nine = ''] = [jobs.get(7), jobs.get(9)]
    for (const id of [seven, nine]) {
      const { draft } = await store()
        .db.selectFrom('jobs')
        .select('draft')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      expect(draft).toBe(true)
      await open(store(), id)
    }
    world.requests = [request({ headCommit: '2'.repeat(40) }), request({ number: 9 })]
    await look()
    const ofSeven = (await world.runs()).filter(({ cause }) => cause.number === 7)
    expect(ofSeven.map(({ job }) => [job?.id, job?.turn])).toEqual([
      [seven, 2],
      [seven, 1],
    ])
    expect(world.followed).toEqual([])

    world.requests = []
    world.ended = new Map([
      [7, 'merged'],
      [9, 'closed'],
    ])
    world.isAway = true
    await look()
    expect(world.followed).toEqual([])
    world.isAway = false
    for (let count = 0; count < 3; count++) await look()
    expect(world.followed.toSorted((a, b) => a.state.localeCompare(b.state))).toEqual([
      { jobId: nine, state: 'closed' },
      { jobId: seven, state: 'merged' },
    ])
    const said = (await world.runs()).filter(({ reasons }) => reasons.some((one) => one.startsWith('It was')))
    expect(said.map(({ cause: { number, to } }) => `${number} ${to?.[0]}`).toSorted()).toEqual(['7 2', '9 1'])
  })

  it('gives a pull request that was opened again documentation of its own', async () => {
    const world = await createRuleWorld(store())
    const engine = world.engine()
    await world.rule(withJob)
    world.touched = certain('**1 certain**')
    const look = async (): Promise<void> => {
      await engine.noteSync(world.projectId, world.repository)
      await engine.startRuns()
      await due(store())
      await engine.tellPreviews()
    }
    world.requests = [request()]
    await look()
    const first = (await world.runs())[0]?.job?.id ?? ''
    world.requests = []
    world.ended.set(7, 'closed')
    await look()
    await open(store(), first, 'closed')
    world.requests = [request({ headCommit: '2'.repeat(40) })]
    await look()
    const [run] = await world.runs()
    expect([run?.state, run?.job?.id === first]).toEqual(['running', false])
    await open(store(), run?.job?.id ?? '')
    world.requests = []
    await look()
    expect(world.followed.map(({ jobId }) => jobId)).toEqual([first, run?.job?.id])
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

async function open(store: Store, jobId: string, state = 'open'): Promise<void> {
  const pull = { number: 12, link: 'https://example.com/docs/12', state }
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
