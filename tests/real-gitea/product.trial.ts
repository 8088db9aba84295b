import { expect, it } from 'vitest'
import { z } from 'zod'
import { plainGit } from '../worlds/git/temporary-git.ts'
import { startGiteaProduct, until } from './gitea-product.ts'
import { createPerson, createRepository, giteaSite, patiently, pushPage } from './gitea-site.ts'

it('runs a job, takes up comments, follows a merge, a close and a push', async () => {
  const [owner, bot, reader] = [
    await createPerson('editor'),
    await createPerson('robot'),
    await createPerson('reader'),
  ]
  await using repository = await createRepository(owner, [bot])
  const { path, folder } = repository
  await owner.ask('PUT', `/repos/${path}/collaborators/${bot.name}`, { permission: 'admin' })
  await owner.ask('PUT', `/repos/${path}/collaborators/${reader.name}`, { permission: 'read' })
  await owner.ask('POST', `/repos/${path}/labels`, { name: 'docs', color: '#00aabb' })
  await using product = await startGiteaProduct(path, bot)
  const { ask, command, read } = product
  await command('project', 'set', 'tea', '--label', 'docs', '--assignee', owner.name)

  const first = await ask('Replace "one" with "two" in index.md')
  expect(first).toMatchObject({
    status: 'completed',
    failure: null,
    pullRequest: { number: 1, state: 'open' },
  })
  expect(first.prLink).toBe(`${giteaSite}/${path}/pulls/1`)
  expect(await owner.ask('GET', `/repos/${path}/pulls/1`)).toMatchObject({
    labels: [{ name: 'docs' }],
    assignee: { login: owner.name },
  })

  const issue = `/repos/${path}/issues/1/comments`
  await reader.ask('POST', issue, { body: '@docwright Replace "two" with "evil" in index.md' })
  await owner.ask('POST', issue, { body: '@docwright Replace "two" with "three" in index.md' })
  await until(async () => {
    const said = z
      .array(z.object({ user: z.object({ login: z.string() }) }))
      .parse(await owner.ask('GET', issue))
    return said.some(({ user }) => user.login === bot.name)
  })
  expect(await read(first.id)).toMatchObject({ status: 'completed', turns: 2 })
  plainGit(folder, ['fetch', '--quiet', 'origin'])
  expect(plainGit(folder, ['show', `origin/${first.source.ref}:index.md`])).toBe('three')
  const head = plainGit(folder, ['rev-parse', `origin/${first.source.ref}`])
  expect(await owner.ask('GET', `/repos/${path}/commits/${head}/status`)).toMatchObject({ state: 'success' })

  await patiently(() => owner.ask('POST', `/repos/${path}/pulls/1/merge`, { Do: 'squash' }))
  await until(async () => (await read(first.id)).pullRequest?.state === 'merged')
  const second = await ask('Replace "three" with "four" in index.md')
  await owner.ask('PATCH', `/repos/${path}/pulls/2`, { state: 'closed' })
  await until(async () => (await read(second.id)).pullRequest?.state === 'closed')

  pushPage(repository, 'main', 'fresh.md', '# Fresh', 'main')
  await until(async () => (await command('project', 'list')).stdout.includes(' 2  '))
})
