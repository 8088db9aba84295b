import { expect, it } from 'vitest'
import { createBareRepository, git } from '../../../../../tests/repository.ts'
import { describeOnStore } from '../../../../../tests/stores.ts'
import { createDashboardWorld } from '../../../../../tests/worlds/dashboard-world.ts'
import { createGit } from '../../../../integrations/git/git.ts'

describeOnStore('starting a job', (store) => {
  const promptIn = (page: string): string | undefined =>
    /<textarea\s+id="prompt"[^>]*>\n?([^<]*)<\/textarea/.exec(page)?.[1]

  it('begins with the page, a template of the server, or one of the repository', async () => {
    const folder = await createBareRepository({
      'index.md': '# Home\n',
      '.docwright/templates/release.md': '# Release <notes>\n\nWrite the notes of a release for {page}.\n',
      '.docwright/templates/empty.md': '# Nothing\n',
    })
    const dataFolder = `${folder}-data`
    const mirror = async () => ({ git: await createGit({ dataFolder, environment: process.env }), folder })
    const { get, project } = await createDashboardWorld(store(), { mirror })
    const commit = await git(folder, 'rev-parse', 'main')
    await store()
      .db.updateTable('projects')
      .set({ synced_commit: commit })
      .where('id', '=', project.id)
      .execute()
    const open = async (query: string) => (await get(`/projects/${project.domain}/jobs/new${query}`)).text()

    const plain = await open('')
    expect(plain).toContain('Release &lt;notes&gt;')
    expect(plain).not.toContain('empty.md')
    expect(promptIn(plain)).toBe('')
    expect(promptIn(await open('?page=a%22b.md'))).toBe('In the page &quot;a&quot;b.md&quot;, ')
    expect(promptIn(await open('?page=a.md&section=Setup&quote=Run+it'))).toBe(
      'In the page &quot;a.md&quot;, replace &quot;Run it&quot; with &quot;Run it&quot;',
    )
    expect(promptIn(await open('?template=fix-links'))).toBe('Fix broken links')
    expect(promptIn(await open('?template=fix-links&page=v2.md'))).toBe(
      'Fix broken links in the page &quot;v2.md&quot;',
    )
    expect(promptIn(await open('?template=own%2Frelease.md&page=v2.md'))).toBe(
      'Write the notes of a release for the page v2.md.',
    )
    expect((await get(`/projects/${project.domain}/jobs/new`, '')).status).toBe(303)
  })

  it('makes the request of a form once its fields are right, and starts the job with it', async () => {
    const { get, post, csrf, project } = await createDashboardWorld(store())
    const base = `/projects/${project.domain}/jobs`
    const open = async (query: Record<string, string>) =>
      (await get(`${base}/new?${new URLSearchParams(query).toString()}`)).text()
    const empty = await open({ ability: 'version', product: 'Node.js' })
    expect(empty).toContain('id="field-to"')
    expect(promptIn(empty)).toBeUndefined()
    expect(promptIn(await open({ ability: 'version', product: 'Node.js', to: 'soon' }))).toBeUndefined()
    const filled = await open({ ability: 'version', product: 'Node.js', to: '24', place: 'guides/' })
    expect(promptIn(filled)).toBe('Update Node.js to 24 in guides/')
    const started = await post(base, { csrf, prompt: 'Update Node.js to 24 in guides/' })
    const job = await (await get(started.headers.get('location') ?? '')).text()
    expect(job).toMatch(/<strong>The operator<\/strong>[^]*Update Node.js to 24 in guides\//)
  })
})
