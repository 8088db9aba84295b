import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { plainGit } from '../worlds/git/temporary-git.ts'
import { runCommand, settledJob, startServer } from '../server.ts'
import { createPerson, createRepository, createToken, giteaSite, pushPage } from './gitea-site.ts'

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
  await using server = await startServer({ environment: { DOCWRIGHT_SYNC_INTERVAL: '2' } })
  const key = server.welcome.adminKey
  const command = (...words: string[]) => runCommand(server.dataFolder, ...words)
  const secret = join(server.dataFolder, 'a-token')
  await writeFile(secret, await createToken(bot))
  const added = await command(
    'project',
    'add',
    `${giteaSite}/${path}`,
    '--domain',
    'tea',
    '--token-file',
    secret,
  )
  expect([added.code, added.stderr]).toEqual([0, expect.not.stringContaining('lacks') as string])
  await command('project', 'set', 'tea', '--label', 'docs', '--assignee', owner.name)
  const listed = JSON.parse((await command('project', 'list', '--json')).stdout) as unknown
  const project = () =>
    z
      .looseObject({})
      .array()
      .parse(listed)
      .find(({ domain }) => domain === 'tea')
  const { id } = z.object({ id: z.string() }).parse(project())
  const read = async (jobId: string) =>
    aJob.parse(await settledJob(server, `/v2/agent/${id}/job/${jobId}`, key))
  const ask = async (prompt: string) => {
    const made = await server.request('POST', `/v2/agent/${id}/job`, { key, body: { prompt } })
    return read(z.object({ id: z.string() }).parse(await made.json()).id)
  }

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

  await owner.ask('POST', `/repos/${path}/pulls/1/merge`, { Do: 'squash' })
  await until(async () => (await read(first.id)).pullRequest?.state === 'merged')
  const second = await ask('Replace "three" with "four" in index.md')
  await owner.ask('PATCH', `/repos/${path}/pulls/2`, { state: 'closed' })
  await until(async () => (await read(second.id)).pullRequest?.state === 'closed')

  pushPage(repository, 'main', 'fresh.md', '# Fresh', 'main')
  await until(async () => (await command('project', 'list')).stdout.includes(' 2  '))
})

const aJob = z.looseObject({
  id: z.string(),
  prLink: z.string().nullable(),
  source: z.object({ ref: z.string() }),
  pullRequest: z.looseObject({ state: z.string() }).nullable(),
})

/** For what the host is asked for by the clock. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 240; tries++) {
    if (await isSo()) return
    await delay(500)
  }
  throw new Error('It did not come to be')
}
