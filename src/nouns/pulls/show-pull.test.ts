import { expect, it } from 'vitest'
import { describeOnStore } from '../../../tests/stores.ts'
import { createDashboardWorld, pullRequest } from '../../../tests/worlds/dashboard-world.ts'
import { createJob } from '../../features/agent/create-job.ts'
import { writePages } from '../../features/docs/pages.ts'
import { AppError } from '../../lib/errors.ts'
import { json } from '../../store/database.ts'

const attack = '"><img src=x onerror=alert(1)><script>alert(2)</script>'

describeOnStore('the page of a pull request', (store) => {
  const world = (override = {}) => createDashboardWorld(store(), override)

  it('lets a reader with the link read a pull request, and only that', async () => {
    const { get, post, pulls, acts, project } = await world()
    pulls.push(pullRequest(1), pullRequest(2))
    const path = `/projects/${project.domain}/pulls/1`
    const page = await (await get(`${path}?token=token-1`, '')).text()
    expect(page).toContain('Title 1')
    expect(page).not.toContain('method="post"')
    expect(page).not.toContain(`/projects/${project.domain}/keys`)
    for (const bad of [
      path,
      `${path}?token=`,
      `${path}?token=token-2`,
      `/projects/${project.domain}/pulls/7?token=token-1`,
    ])
      expect((await get(bad, '')).headers.get('location')).toBe('/sign-in')
    await post(`${path}/merge?token=token-1`, { csrf: '' }, '')
    expect(acts).toEqual([])
  })

  it('merges and closes, and says what is in conflict', async () => {
    const { get, post, csrf, pulls, acts, project, mergeability } = await world()
    pulls.push(pullRequest(1))
    const path = `/projects/${project.domain}/pulls/1`
    expect((await post(`${path}/merge`, { csrf })).headers.get('location')).toBe(`${path}?done=merged`)
    expect((await post(`${path}/close`, { csrf })).status).toBe(303)
    const reopened = await post(`${path}/reopen`, { csrf })
    expect(reopened.headers.get('location')).toBe(`${path}?done=reopened`)
    expect(acts).toEqual(['merge 1', 'close 1', 'reopen 1'])
    mergeability.state = 'conflicts'
    mergeability.conflicts = ['guide.md']
    const page = await (await get(path)).text()
    expect(page).toContain('guide.md')
    expect(page).not.toContain(`${path}/merge`)
    const refused = await post(`${path}/merge`, { csrf })
    expect(refused.status).toBe(409)
    expect(await refused.text()).toContain('Both sides changed guide.md')
  })

  it('has the next step beside what was done, and links to other pull requests', async () => {
    const { get, pulls, project, mergeability } = await world()
    pulls.push(pullRequest(1), { ...pullRequest(2), body: 'After `#1`, before `#9`.' })
    const path = `/projects/${project.domain}/pulls/2`
    const page = await (await get(path)).text()
    expect(page.indexOf('href="#merge"')).toBeGreaterThan(0)
    expect(page.indexOf('href="#merge"')).toBeLessThan(page.indexOf(`${path}/merge`))
    expect(page).toMatch(new RegExp(`href="[^"]*/projects/${project.domain}/pulls/1"[^>]*>#1</a>`))
    expect(page).not.toContain('/pulls/9')
    mergeability.state = 'conflicts'
    mergeability.conflicts = ['guide.md']
    const held = await (await get(path)).text()
    expect(held.indexOf('href="#merge"')).toBeLessThan(held.indexOf('id="conversation"'))
    expect(held).not.toContain(`${path}/merge`)
  })

  it('leads to what a merge has changed, as its readers see it', async () => {
    const own = await world()
    const { get, pulls, project, ports } = own
    const { id } = await createJob(ports, project, { prompt: 'Fix it' }, () => Promise.resolve())
    const changes = [
      { path: 'a.md', status: 'modified', additions: 1, deletions: 0 },
      { path: 'gone.md', status: 'deleted', additions: 0, deletions: 1 },
    ]
    await store().transaction(async (tx) => {
      await tx
        .updateTable('jobs')
        .set({ branch: 'docwright/a', changes: json(changes) })
        .where('id', '=', id)
        .execute()
    })
    pulls.push({ ...pullRequest(1), state: 'merged' })
    const path = `/projects/${project.domain}/pulls/1`
    const page = async () => (await get(path)).text()
    expect(await page()).toMatch(
      /Merged<\/h2>[^]*href="\/docs\/[^"]+\/">Read the documentation[^]*update in a few\s+seconds/,
    )
    const about = { title: 'The <b>A</b>', description: undefined, language: undefined, version: undefined }
    const stored = { path: 'a.md', url: '/a', ...about, hidden: false, groups: [], sections: [] }
    await store().transaction((tx) =>
      writePages(tx, project.id, [{ page: stored, oid: 'a', included: {}, content: '' }], []),
    )
    expect(await page()).toMatch(/href="\/docs\/[^"]+\/a">The &lt;b&gt;A/)
    expect(await (await get(`${path}?token=token-1`, '')).text()).not.toContain('update in a few')
  })

  it('takes comments of people who are signed in, and shows them as text', async () => {
    const { get, post, csrf, pulls, acts, project } = await world()
    pulls.push(pullRequest(1))
    const path = `/projects/${project.domain}/pulls/1`
    expect(await (await get(path)).text()).toContain('No comments yet. The agent reads new comments')
    const answer = await post(`${path}/comment`, { csrf, body: `Shorter, please. ${attack}` })
    expect(answer.headers.get('location')).toBe(`${path}?done=commented`)
    expect(acts).toEqual(['comment 1'])
    const page = await (await get(path)).text()
    expect(page).toContain('Shorter, please.')
    expect(page).not.toMatch(/<img src=x|<script>/)
    expect(await (await get(`${path}?token=token-1`, '')).text()).not.toContain('name="body"')
  })

  it('has no plain button to merge a draft, says what is wrong with it, and takes a second step', async () => {
    const away = () => Promise.reject(new AppError('unavailable', 'The repository is away'))
    const own = await world({ mirror: away })
    const { get, post, csrf, pulls, acts, project } = own
    const { id } = await createJob(own.ports, project, { prompt: 'Fix it' }, () => Promise.resolve())
    const checks = [
      { check: 'links', severity: 'error', path: 'a.md', line: 3, message: 'No page at /x', hint: null },
      { check: 'links', severity: 'warning', path: 'b.md', line: 4, message: 'Only a warning', hint: null },
    ]
    await store().transaction((tx) =>
      tx
        .updateTable('jobs')
        .set({ branch: 'docwright/a', checks: json(checks) })
        .where('id', '=', id)
        .execute(),
    )
    pulls.push({ ...pullRequest(1), draft: true })
    const path = `/projects/${project.domain}/pulls/1`
    const page = await (await get(path)).text()
    expect(page).toContain('The checks found a problem')
    expect(page).toContain('No page at /x')
    expect(page).toContain(`/jobs/${id}`)
    expect(page).toContain('Only a warning')
    expect(page).not.toMatch(/class="primary">Merge/)
    const refused = await post(`${path}/merge`, { csrf })
    expect([refused.status, acts]).toEqual([409, []])
    expect(await refused.text()).toContain('It is a draft')
    expect((await post(`${path}/merge`, { csrf, draft: 'yes' })).status).toBe(303)
    expect(acts).toEqual(['merge 1'])
  })

  it('says before the click that a branch is checked out, and what to do', async () => {
    const { get, pulls, project, mergeability } = await world()
    pulls.push(pullRequest(1))
    mergeability.state = 'checked_out'
    mergeability.advice = 'The branch main is checked out in /docs: run "git switch --detach" there'
    const page = await (await get(`/projects/${project.domain}/pulls/1`)).text()
    expect(page).toContain('git switch --detach')
    expect(page).not.toContain('/pulls/1/merge')
  })
})
