import { expect, it } from 'vitest'
import { z } from 'zod'
import { plainGit } from '../worlds/git/temporary-git.ts'
import { startGiteaProduct, until } from './gitea-product.ts'
import { createPerson, createRepository, pushPage } from './gitea-site.ts'

const aText = z.object({ title: z.string(), body: z.string() })

it('keeps what people wrote, checks what they push, follows a rename, and says why it is refused', async () => {
  const [owner, bot] = [await createPerson('author'), await createPerson('writer')]
  await using repository = await createRepository(owner, [bot])
  const { path, folder } = repository
  const template = '## What\n\n## Checklist\n\n- [ ] Read by a person\n'
  pushPage(repository, 'main', 'pull_request_template.md', template, 'main')
  await using product = await startGiteaProduct(path, bot)
  const first = await product.ask('Replace "one" with "two" in index.md')
  expect(first).toMatchObject({ status: 'completed', failure: null })
  const pull = async (name = path) => aText.parse(await owner.ask('GET', `/repos/${name}/pulls/1`))
  const { body } = await pull()
  expect(body).toMatch(/^## What\n[^]*## Checklist\n\n- \[ \] Read by a person$/)
  const edited = { title: 'docs: say two', body: `Closes #77\r\n\r\n${body.replace('[ ]', '[x]')}` }
  await owner.ask('PATCH', `/repos/${path}/pulls/1`, edited)
  const second = await product.follow(first.id, 'Replace "two" with "three" in index.md')
  expect(second).toMatchObject({ status: 'completed', turns: 2 })
  const now = await pull()
  expect(now.title).toBe('docs: say two')
  expect(now.body).toMatch(/^Closes #77\r?\n[^]*Follow-up[^]*- \[x\] Read by a person$/)

  // As the button of the host does, after somebody has pushed to the base.
  pushPage(repository, 'main', 'other.md', '# Other', 'main')
  await owner.ask('POST', `/repos/${path}/pulls/1/update?style=merge`)
  plainGit(folder, ['fetch', '--quiet', 'origin'])
  const head = plainGit(folder, ['rev-parse', `origin/${first.source.ref}`])
  const state = async () =>
    z.object({ state: z.string() }).parse(await owner.ask('GET', `/repos/${path}/commits/${head}/status`))
      .state
  await until(async () => (await state()) === 'success')

  const renamed = `${owner.name}/manual`
  await owner.ask('PATCH', `/repos/${path}`, { name: 'manual' })
  const third = await product.follow(first.id, 'Replace "three" with "four" in index.md')
  expect(third).toMatchObject({ status: 'completed', turns: 3, failure: null })
  expect((await product.command('project', 'list')).stdout).toContain(`/${renamed}.git`)

  await owner.ask('DELETE', `/repos/${renamed}/collaborators/${bot.name}`)
  const refused = await product.ask('Replace "one" with "five" in index.md')
  expect(refused).toMatchObject({
    status: 'failed',
    failure: {
      code: 'permission_missing',
      message: expect.stringMatching(/Gitea finds nothing|may not see/) as string,
    },
  })
})
