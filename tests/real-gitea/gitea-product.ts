import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import { z } from 'zod'
import { runCommand, settledJob, startServer } from '../server.ts'
import { createToken, giteaSite, type Person } from './gitea-site.ts'

const aJob = z.looseObject({
  id: z.string(),
  prLink: z.string().nullable(),
  source: z.object({ ref: z.string() }),
  pullRequest: z.looseObject({ state: z.string() }).nullable(),
})

/** The product with a project `tea` on a repository of a real Gitea, with the token of `bot`. */
export async function startGiteaProduct(path: string, bot: Person) {
  const server = await startServer({ environment: { DOCWRIGHT_SYNC_INTERVAL: '2' } })
  const key = server.welcome.adminKey
  const command = (...words: string[]) => runCommand(server.dataFolder, ...words)
  const secret = join(server.dataFolder, 'a-token')
  await writeFile(secret, await createToken(bot))
  const place = ['project', 'add', `${giteaSite}/${path}`, '--domain', 'tea', '--token-file', secret]
  const added = await command(...place)
  expect([added.code, added.stderr]).toEqual([0, expect.not.stringContaining('lacks') as string])
  const listed = z
    .looseObject({})
    .array()
    .parse(JSON.parse((await command('project', 'list', '--json')).stdout))
  const { id } = z.object({ id: z.string() }).parse(listed.find(({ domain }) => domain === 'tea'))
  const read = async (jobId: string) =>
    aJob.parse(await settledJob(server, `/v2/agent/${id}/job/${jobId}`, key))
  const post = async (rest: string, prompt: string) =>
    (await server.request('POST', `/v2/agent/${id}/job${rest}`, { key, body: { prompt } })).json()
  return {
    command,
    read,
    ask: async (prompt: string) => read(z.object({ id: z.string() }).parse(await post('', prompt)).id),
    async follow(jobId: string, prompt: string) {
      await post(`/${jobId}/message`, prompt)
      return read(jobId)
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

/** For what the host is asked for by the clock. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 240; tries++) {
    if (await isSo()) return
    await delay(500)
  }
  throw new Error('It did not come to be')
}
