import { sql } from 'kysely'
import { expect, it } from 'vitest'
import {
  addExchange,
  cited,
  fakeAssistant,
  scriptedModel,
  setRetention,
} from '../../../../tests/assistant-server.ts'
import { describeOnStore } from '../../../../tests/stores.ts'
import { createDashboardWorld, type DashboardWorld } from '../../../../tests/worlds/dashboard-world.ts'
import { giveFeedback } from '../../../features/assistant/insights/feedback.ts'
import { createSearchLog } from '../../../features/assistant/insights/searches.ts'
import { AppError } from '../../../lib/errors.ts'
import { json } from '../../../store/database.ts'

const hostile = '</textarea><script>alert(1)</script>'

describeOnStore('the pages of the assistant', (store) => {
  const open = async (...[, override]: Partial<Parameters<typeof createDashboardWorld>>) => {
    const world = await createDashboardWorld(store(), override)
    const base = `/projects/${world.project.domain}/assistant`
    const page = async (path: string): Promise<string> => {
      const response = await world.get(`${base}${path}`)
      expect([path, response.status]).toEqual([path, 200])
      return response.text()
    }
    return { ...world, base, page }
  }
  const add = (world: DashboardWorld, exchange: Parameters<typeof addExchange>[1]) =>
    addExchange(store(), { projectId: world.project.id, ...exchange })

  const addGap = async (world: DashboardWorld, name: string, threadId: string): Promise<string> => {
    const id = `gap_${name.replaceAll(/\W/g, '')}_${world.project.id}`
    await add(world, {
      threadId,
      text: `${hostile} ${name}?`,
      outcome: { outcome: 'unanswered', cause: 'weak', missing: ['Redis'] },
    })
    await store().transaction(async (tx) => {
      await tx.insertInto('gaps').values({ id, project_id: world.project.id, name, nearest: '[]' }).execute()
      await tx
        .insertInto('gap_questions')
        .values({
          project_id: world.project.id,
          gap_id: id,
          thread_id: threadId,
          n: 0,
          cause: 'weak',
          asked_at: new Date(),
        })
        .execute()
    })
    return id
  }

  it('explain themselves where nothing was asked yet', async () => {
    const { page } = await open()
    expect(await page('')).toContain('No questions or searches yet')
    expect(await page('/conversations')).toContain('No conversations yet')
    expect(await page('/gaps')).toContain('No content gaps yet')
    expect(await page('/gaps?state=answered')).toContain('No gaps match this filter')
    expect(await page('/searches')).toContain('No searches in this period')
    expect(await page('/use')).toContain('No questions in this period')
    expect(await page(`/playground?question=${encodeURIComponent(hostile)}`)).not.toContain('<script>alert')
  })

  it('say how far the overview has looked, and lead on from there', async () => {
    const world = await open()
    await add(world, {
      threadId: 'old',
      text: 'Is it free?',
      outcome: { outcome: 'unanswered', cause: 'weak' },
      at: new Date(Date.now() - 86_400_000),
    })
    await store().transaction((tx) =>
      sql`insert into threads (project_id, id, minted)
        select ${world.project.id}, 'newer-' || n, true from generate_series(1, 4000) n`.execute(tx),
    )
    const overview = await world.page('')
    expect(overview).not.toContain('Is it free?')
    expect(overview).toContain('None in the newest 4,000 conversations.')
    const [, on = ''] =
      /href="[^"]*(\/conversations\?outcome=unanswered&amp;after=[^"]+)"/.exec(overview) ?? []
    expect(await world.page(on.replaceAll('&amp;', '&'))).toContain('Is it free?')
  })

  it('list conversations by what was asked, and show one with its Markdown, sources and ratings', async () => {
    const world = await open()
    const { page } = world
    const long = 'thr/ä ?#'
    await add(world, {
      threadId: long,
      text: hostile,
      said: 'Run **it**. <script>alert(2)</script>',
      sources: [{ path: 'a.md', url: 'https://docs.example.com/a', title: '<i>A</i>', words: ['Run it'] }],
      fp: 'ann',
      page: '/guides',
      context: [{ type: 'textSelection', value: 'Keys rotate. <script>alert(4)</script>', path: '/keys' }],
    })
    await add(world, { text: 'How do I rotate keys?', outcome: { outcome: 'unanswered', cause: 'weak' } })
    await store().transaction((tx) =>
      giveFeedback(tx, world.project.id, {
        threadId: long,
        messageId: undefined,
        rating: 'down',
        reason: 'outdated',
        note: '<script>alert(3)</script>',
        fp: 'ann',
        caller: 'web',
      }),
    )
    expect(await page('/conversations')).toContain('How do I rotate keys?')
    const disliked = await page('/conversations?rating=down&outcome=&text=')
    expect(disliked).not.toContain('How do I rotate keys?')
    expect(disliked).toContain('export?rating=down&amp;format=csv')
    expect(await page('/conversations?from=2026-13-99')).toContain('must be a day')
    expect(await page('/conversations?text=nothing-like-it')).toMatch(/match\s+these\s+filters/)
    const shown = await page(`/conversations/${encodeURIComponent(long)}`)
    for (const text of [
      '<strong>it</strong>',
      '&lt;i&gt;A&lt;/i&gt;',
      'Cited for “Run it”',
      'outdated',
      '/guides',
      'Keys rotate. &lt;script&gt;',
      'of <code>/keys</code>',
    ])
      expect(shown).toContain(text)
    expect(shown).not.toMatch(/<script>alert/)
    expect((await world.get(`${world.base}/conversations/none`)).status).toBe(404)
    const other = await open()
    expect((await other.get(`${other.base}/conversations/${encodeURIComponent(long)}`)).status).toBe(404)
    expect(await page('')).toContain('Answers rated down')
    expect(await page('/use?days=7')).toContain('<desc id="outcomes-desc">')
  })

  it('start a job about one answer, which is told of it beside the prompt and forgets it with the question', async () => {
    const world = await open()
    const { base, csrf, page, project } = world
    const { thread } = await add(world, {
      text: `${hostile} How?`,
      said: 'Not like that.',
      context: [{ type: 'code', value: 'rotate(keys)', path: null }],
    })
    const about = { thread: thread.id, question: '0' }
    const jobs = `/projects/${project.domain}/jobs`
    const form = `${jobs}/new?${new URLSearchParams(about).toString()}`
    expect(await page(`/conversations/${thread.id}`)).toContain(form.replaceAll('&', '&amp;'))
    const shown = await (await world.get(form)).text()
    for (const text of [
      'Not like that.',
      'rotate(keys)',
      `name="thread" value="${thread.id}"`,
      'can’t write new pages',
    ])
      expect(shown).toContain(text)
    expect(shown).not.toContain('<script>alert')
    expect((await world.get(form.replace('question=0', 'question=7'))).status).toBe(404)
    const refused = await world.post(`${jobs}/new`, { csrf, prompt: ' ', base: 'no branch', ...about })
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining('value="no branch"'),
    ])
    const started = await world.post(`${jobs}/new`, { csrf, prompt: 'Say how.', ...about })
    const job = started.headers.get('location') ?? ''
    expect(await page(`/conversations/${thread.id}`)).toContain(job)
    const kept = () =>
      store()
        .db.selectFrom('jobs')
        .innerJoin('turns', 'turns.job_id', 'jobs.id')
        .select(['jobs.evidence', 'prompt', 'title'])
        .where('jobs.id', '=', job.split('/').at(-1) ?? '')
        .executeTakeFirstOrThrow()
    expect(await kept()).toMatchObject({
      evidence: expect.stringContaining('Not like that.'),
      prompt: 'Say how.',
    })
    expect(JSON.stringify({ ...(await kept()), evidence: '' })).not.toContain('How?')
    await world.post(`${base}/conversations/${thread.id}/delete`, { csrf })
    expect((await kept()).evidence).toBeNull()
    expect((await world.post(`${jobs}/new`, { csrf, prompt: 'Say how.', ...about })).status).toBe(404)
  })

  it('delete one conversation, or everything of one person', async () => {
    const world = await open()
    const { base, csrf, page } = world
    const { thread } = await add(world, { text: 'First', fp: 'ben' })
    await add(world, { text: 'Second', fp: 'eve' })
    await add(world, { text: 'Third', fp: 'ann' })
    expect(await page('')).toContain('>3</strong>')
    expect(await page('/conversations?fp=eve')).toContain('Delete this reader’s data')
    const path = `${base}/conversations/${thread.id}/delete`
    expect((await world.post(path, {})).status).toBe(403)
    expect((await world.post(path, { csrf })).headers.get('location')).toContain('done=conversation-deleted')
    expect((await world.post(`${base}/people/delete`, { csrf, fp: 'eve' })).status).toBe(303)
    expect((await world.post(`${base}/people/delete`, { csrf, fp: 'eve' })).status).toBe(404)
    const list = await page('/conversations')
    for (const text of ['First', 'Second']) expect(list).not.toContain(text)
    expect(list).toContain('Third')
    expect(await page('')).toContain('>1</strong>')
  })

  it('name, merge, dismiss and reopen a gap, and give it to the agent', async () => {
    const world = await open()
    const { base, csrf, page } = world
    const id = await addGap(world, 'Redis', 'thread-1')
    const other = await addGap(world, 'Redis cluster', 'thread-2')
    const path = `${base}/gaps/${id}`
    const shown = await page(`/gaps/${id}`)
    for (const text of [
      'missing: Redis',
      'Write nothing that you have not found there',
      'The built-in model can’t write new pages',
    ])
      expect(shown).toContain(text)
    expect(shown).not.toContain('<script>alert')
    expect(await page('/conversations/thread-1')).toContain(`${path}#write`)
    const does = async (act: string, fields: Record<string, string> = {}): Promise<string | null> => {
      const response = await world.post(`${path}/${act}`, { csrf, ...fields })
      return response.headers.get('location') ?? `${response.status} ${await response.text()}`
    }
    expect(await does('rename', { name: 'Queues' })).toBe(`${path}?done=gap-named`)
    expect(await does('rename', { name: 'x'.repeat(100) })).toMatch(/^400 .*1 to 80 characters/s)
    expect(await does('merge', { from: id })).toMatch(/^400 .*Choose another gap/s)
    expect(await does('merge', { from: other })).toBe(`${path}?done=gap-merged`)
    expect(await page('/gaps')).toMatch(/Queues.*2 questions in 30 days/s)
    expect(await does('dismiss', { reason: hostile, returnsAfter: '3' })).toBe(`${path}?done=gap-dismissed`)
    expect(await page(`/gaps/${id}`)).toMatch(/after\s+3 more questions/)
    expect(await does('reopen')).toBe(`${path}?done=gap-reopened`)
    expect(await does('job')).toMatch(/^400 .*built-in model can’t write new pages/s)
    await store()
      .db.updateTable('projects')
      .set({ settings: json({ model: 'openai:gpt' }) })
      .where('id', '=', world.project.id)
      .execute()
    const job = await does('job', { instructions: 'Redis is not supported.', draft: 'yes' })
    expect(job).toMatch(/\/jobs\/job_/)
    expect(world.sent).toEqual([expect.stringMatching(/^job job_/)])
    // The same job, while it works.
    expect(await does('job')).toBe(job)
    expect(await page(`/gaps/${id}`)).toContain('works on it')
    expect((await world.get(`${base}/gaps/gap_none`)).status).toBe(404)
    const forgetful = await open()
    await setRetention(store(), forgetful.project.id, 0)
    expect(await forgetful.page('/gaps')).toContain('keep readers’ questions')
  })

  it('list searches by what they found', async () => {
    const world = await open()
    const { page } = world
    const log = createSearchLog(store(), () => undefined)
    const of = { projectId: world.project.id, caller: 'api', fp: undefined, milliseconds: 1 } as const
    log.record({ ...of, query: hostile, results: 0, confidence: 0 })
    log.record({ ...of, query: 'Install', results: 4, confidence: 0.9 })
    log.record({ ...of, query: 'kubernetes', results: 4, confidence: 0.1 })
    await log.flush()
    expect(await page('/searches')).not.toContain('<script>alert')
    const weak = await page('/searches?result=weak&days=7')
    expect(weak).toContain('kubernetes')
    expect(weak).not.toContain('install<')
    expect(await page('/searches?result=none')).toContain('/playground?question=')
    expect(await page('/searches?text=INST')).toContain('install')
    expect(await page('/searches?from=2026-02-30')).toContain('Give days such as')
    expect(await page('/use?from=2026-03-01&to=2026-02-01')).toContain('must be before')
  })

  it('answer in the playground with and without scripts, and compare two models', async () => {
    const assistant = fakeAssistant(store(), {
      modelOf: () => scriptedModel(() => ({ text: [cited, hostile] })),
    })
    const modelsOf = assistant.modelsOf.bind(assistant)
    const world = await open(undefined, {
      assistant: {
        ...assistant,
        modelsOf(project, name) {
          if (name === 'unknown') throw new AppError('invalid', 'The model is not offered')
          return name === 'builtin' ? modelsOf(project).slice(1) : modelsOf(project)
        },
      },
    })
    const { base, csrf } = world
    const question = 'How do I install on Linux?'
    const path = `${base}/playground`
    const shown = await (await world.post(path, { csrf, question, page: '/guides' })).text()
    for (const text of ['>the installer</a>', 'shown · confidence 0.90', 'score 0.9', 'name="history"'])
      expect(shown).toContain(text)
    expect(shown).not.toContain('<script>alert')
    const history = /name="history" value="([^"]*)"/.exec(shown)?.[1]?.replaceAll('&quot;', '"') ?? ''
    expect(JSON.parse(history)).toMatchObject([{ role: 'user', text: question }, { role: 'assistant' }])

    const streamed = await world.app.request(path, {
      method: 'POST',
      headers: {
        cookie: world.cookie,
        accept: 'application/x-ndjson',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({
        csrf,
        question: 'And on Windows?',
        history,
        model: '',
        compare: 'yes',
        against: 'builtin',
      }).toString(),
    })
    expect(streamed.headers.get('content-type')).toBe('application/x-ndjson')
    const lines = (await streamed.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { answer?: number; text?: string; html?: string })
    const textOf = (n: number): string =>
      lines.flatMap(({ answer, text }) => (answer === n ? (text ?? '') : [])).join('')
    expect(textOf(0)).toContain('Run [the installer]')
    expect(textOf(1)).not.toBe('')
    const { html = '' } = lines.at(-1) ?? {}
    for (const text of ['1 question before', '<code>scripted</code>', '<code>builtin</code>'])
      expect(html).toContain(text)

    for (const [fields, problem] of [
      [{ question: ' ' }, 'is empty'],
      [{ question, model: 'unknown' }, 'The model is not offered'],
      [{ question, history: 'nonsense' }, 'cannot be read'],
    ] as const) {
      const refused = await world.post(path, { csrf, ...fields })
      expect([fields, refused.status]).toEqual([fields, 400])
      expect(await refused.text()).toContain(problem)
    }
    expect(
      await store()
        .db.selectFrom('messages')
        .select('id')
        .where('project_id', '=', world.project.id)
        .execute(),
    ).toEqual([])
  })
})
