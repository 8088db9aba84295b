import { expect, it } from 'vitest'
import { describeOnStore } from '../../../../tests/stores.ts'
import { addMessage } from '../../../features/agent/add-message.ts'
import { createJob } from '../../../features/agent/create-job.ts'
import { appendEvents, listEvents } from '../../../features/agent/events.ts'
import { updateJob } from '../../../features/agent/jobs.ts'
import { completeTurn, failTurn } from '../../../features/agent/turns/end-turn.ts'
import { firstOpenTurn } from '../../../features/agent/turns.ts'
import { findProject } from '../../../features/projects/projects.ts'
import { json } from '../../../store/database.ts'
import { AppError } from '../../../lib/errors.ts'
import { createDashboardWorld } from '../../../../tests/worlds/dashboard-world.ts'

describeOnStore('the page of a job', (store) => {
  it('shows the author of a comment, and that a turn waits for its host until it goes on', async () => {
    const { get, ports, project } = await createDashboardWorld(store())
    const free = () => Promise.resolve()
    const { id } = await createJob(ports, project, { prompt: 'First' }, free)
    await addMessage(ports, project, id, { prompt: 'More', author: '<b>ann</b>' }, free)
    const page = async () => (await get(`/projects/${project.domain}/jobs/${id}`)).text()
    const park = (until: Date | null) =>
      store()
        .db.updateTable('turns')
        .set({ parked_until: until })
        .where('job_id', '=', id)
        .where('n', '=', 1)
        .execute()

    await store().transaction((tx) =>
      appendEvents(tx, id, 1, [{ type: 'turn.waiting', data: { message: 'GitHub takes no more requests' } }]),
    )
    await park(new Date(Date.now() + 300_000))
    const waiting = await page()
    expect(waiting).toMatch(/Waiting for the git host[^]*in 5 minutes[^]*GitHub takes no more requests/)
    expect(waiting).toContain('<strong>&lt;b&gt;ann&lt;/b&gt;</strong> in a comment')
    await park(null)
    expect(await page()).not.toContain('Waiting for the git host')

    const steps = Array.from({ length: 1001 }, (_, n) => ({
      type: 'step' as const,
      data: { text: `Step ${n}` },
    }))
    await store().transaction(async (tx) => {
      await appendEvents(tx, id, 1, steps)
      await updateJob(tx, id)
    })
    expect(await page()).toContain('Model: Step 1000<')
  })

  it('shows what the agent asks with the form for the answer, and lists say what came of jobs', async () => {
    const { get, ports, project } = await createDashboardWorld(store())
    const end = async (outcome: 'needs_input' | 'no_change' | 'nothing_done' | 'changed') => {
      const { id } = await createJob(ports, project, { prompt: outcome }, () => Promise.resolve())
      await store().transaction(async (tx) => {
        const turn = await firstOpenTurn(tx, id)
        if (turn) await completeTurn(tx, turn, { outcome, summary: 'Which *page*?' }, [])
      })
      return id
    }
    const changed = await end('changed')
    await end('no_change')
    await end('nothing_done')
    const asked = await end('needs_input')
    const pageOf = async (path: string) => (await get(`/projects/${project.domain}/jobs${path}`)).text()
    expect(await pageOf(`/${asked}`)).toMatch(
      /The agent has a question[^]*Which <em>page<\/em>\?[^]*<\/section>\s*<form[^]*Your answer[^]*Conversation/,
    )
    expect(await pageOf(`/${changed}`)).not.toContain('The agent has a question')
    const badges = (await pageOf(''))
      .match(/(?<=class="badge[^]{0,500}?<\/svg>)[^<]+(?=<)/g)
      ?.map((word) => word.trim())
    expect(badges).toEqual(['Needs input', 'Nothing done', 'No change', 'Completed'])
  })

  it('does not say that a pull request can be merged while its host does not answer', async () => {
    const { get, ports, project } = await createDashboardWorld(store())
    const { id } = await createJob(ports, project, { prompt: 'First' }, () => Promise.resolve())
    await store()
      .db.updateTable('projects')
      .set({ kind: 'https', location: 'https://git.example.com/acme/docs' })
      .where('id', '=', project.id)
      .execute()
    const pull = json({ link: 'https://git.example.com/acme/docs/pull/7', number: 7, state: 'open' as const })
    await store().transaction((tx) => updateJob(tx, id, { status: 'completed', pull_request: pull }))
    const page = await (await get(`/projects/${project.domain}/pulls/7`)).text()
    expect(page).toMatch(/Merge status unknown[^]*does not answer now[^]*See it at GitHub/)
    expect(page).not.toContain('It can be merged')
  })

  it('says once why a job failed', async () => {
    const { get, ports, project } = await createDashboardWorld(store())
    const { id } = await createJob(ports, project, { prompt: 'First' }, () => Promise.resolve())
    const failure = json({ code: 'model', message: 'The model went away' })
    await store().transaction(async (tx) => {
      await tx.updateTable('turns').set({ status: 'failed', failure }).where('job_id', '=', id).execute()
      await appendEvents(tx, id, 1, [{ type: 'turn.failed', data: { message: 'The model went away' } }])
      await updateJob(tx, id, { status: 'failed', failure })
    })
    const page = await (await get(`/projects/${project.domain}/jobs/${id}`)).text()
    expect(page.match(/The model went away/g)).toHaveLength(1)
  })

  it('offers to allow what was refused for want of an example, once or always', async () => {
    const { get, post, csrf, ports, project } = await createDashboardWorld(store())
    const { id } = await createJob(ports, project, { prompt: 'First' }, () => Promise.resolve())
    const refused = (path: string, value: string) => ({
      path,
      line: 1,
      message: 'It would add an image',
      approval: { kind: 'host' as const, value },
    })
    const files = [refused('a.md', 'a.example'), refused('b.md', 'a.example'), refused('c.md', 'b.example')]
    const failure = {
      code: 'policy',
      message: 'Refused',
      files: [...files, { path: 'd.md', line: null, message: 'No' }],
    }
    await store().transaction((tx) => updateJob(tx, id, { status: 'failed', failure: json(failure) }))
    const path = `/projects/${project.domain}/jobs/${id}`
    const page = async () => (await get(path)).text()
    expect((await page()).match(/Allow for this job/g)).toHaveLength(2)
    const allow = (value: string, always: string) =>
      post(`${path}/approve`, { csrf, kind: 'host', value, always })
    expect((await allow('a.example', 'yes')).status).toBe(303)
    expect((await page()).match(/Allow for this job/g)).toHaveLength(1)
    expect((await findProject(store().db, project.id))?.settings.allowedHosts).toEqual(['a.example'])
    expect((await allow('c.example', '')).status).toBe(409)
    expect((await allow('b.example', '')).status).toBe(303)
    expect((await findProject(store().db, project.id))?.settings.allowedHosts).toEqual(['a.example'])
    expect(await page()).not.toContain('Allow for this job')
    const events = await listEvents(store().db, project.id, id, { after: 0, limit: 10 })
    expect(events.filter(({ type }) => type === 'approved')).toHaveLength(2)
  })

  it('lists what was published to be looked at, apart from the checks, and offers to allow it', async () => {
    const { get, post, csrf, ports, project } = await createDashboardWorld(store())
    const { id } = await createJob(ports, project, { prompt: 'First' }, () => Promise.resolve())
    const value = 'component Chart'
    const approval = { kind: 'part' as const, value }
    const look = {
      check: 'look',
      severity: 'warning' as const,
      path: 'a.md',
      line: 3,
      message: 'It has a chart',
      hint: null,
      approval,
    }
    await store().transaction((tx) => updateJob(tx, id, { status: 'completed', checks: json([look]) }))
    const path = `/projects/${project.domain}/jobs/${id}`
    const page = await (await get(path)).text()
    expect(page).toContain('<h2>To look at</h2>')
    expect(page.match(/It has a chart/g)).toHaveLength(1)
    expect(page).toContain('Have <code>component Chart</code>')
    expect((await post(`${path}/approve`, { csrf, kind: 'part', value, always: 'yes' })).status).toBe(303)
    expect((await findProject(store().db, project.id))?.settings.allowedParts).toEqual([value])
    expect(await (await get(path)).text()).not.toContain('To look at')
  })

  it('offers to publish what is kept once, with what is wrong, even where the repository is out of reach', async () => {
    const mirror = () => Promise.reject(new AppError('unavailable', 'The repository is away'))
    const { get, post, ports, project, sent, csrf } = await createDashboardWorld(store(), { mirror })
    const { id } = await createJob(ports, project, { prompt: 'First' }, () => Promise.resolve())
    const path = `/projects/${project.domain}/jobs/${id}`
    const page = async () => (await get(path)).text()
    const turn = await store()
      .db.selectFrom('turns')
      .selectAll()
      .where('job_id', '=', id)
      .executeTakeFirstOrThrow()
    const content = Buffer.from('x')
    await store().db.insertInto('overlay_files').values({ turn_id: turn.id, path: 'a.md', content }).execute()
    await store()
      .db.updateTable('turns')
      .set({ start_commit: '1'.repeat(40), status: 'running' })
      .where('id', '=', turn.id)
      .execute()
    expect(await page()).not.toContain('Publish as a draft')
    const files = [{ path: 'a.md', line: 3, message: 'It would add <script>' }]
    await failTurn(store(), turn, { code: 'policy', message: 'Not published', files })
    const shown = await page()
    expect(shown).toMatch(
      /The changes are saved but not in a pull request yet[^]*a\.md:3[^]*It would add &lt;script&gt;[^]*Publish as a draft/,
    )
    expect(shown).not.toContain('No new problems')
    sent.length = 0
    const posted = await post(`${path}/publish`, { csrf })
    expect([posted.status, posted.headers.get('location')]).toEqual([303, `${path}?done=publishing`])
    expect(sent).toEqual([`job ${id}`])
    expect(await page()).not.toContain('Publish as a draft')
    expect((await post(`${path}/publish`, { csrf })).status).toBe(409)
    const told = async () =>
      (await (await get(`${path}?done=publishing`)).text()).includes('Publishing your changes')
    expect(await told()).toBe(true)
    await post(`${path}/cancel`, { csrf })
    expect(await told()).toBe(false)
    expect(await page()).toContain('<p class="failure">The operator cancelled this job.</p>')
  })
})
