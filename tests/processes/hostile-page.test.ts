import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createBareRepository } from '../repository.ts'
import { runCommand, settledJob, startServer, type TestServer } from '../server.ts'

/** Minutes for a parser of Markdown, whose time grows with the square of such lines. */
const nested = `${'- '.repeat(90)}a\n`.repeat(5000)

it('serves everybody while one page keeps its readers busy, and after it was killed in the middle of that', async () => {
  let server: TestServer = await startServer({ arguments: ['--no-demo'] })
  const { dataFolder } = server
  const key = server.welcome.adminKey
  const add = async (domain: string, files: Record<string, string>): Promise<string> => {
    const repository = await createBareRepository(files)
    const added = await runCommand(dataFolder, 'project', 'add', repository, '--domain', domain, '--json')
    return (JSON.parse(added.stdout) as { id: string }).id
  }
  const post = async (id: string, prompt: string): Promise<string> => {
    const response = await server.request('POST', `/v2/agent/${id}/job`, { key, body: { prompt } })
    expect(response.status).toBeLessThan(300)
    return `/v2/agent/${id}/job/${((await response.json()) as { id: string }).id}`
  }
  const hostile = await add('hostile', { 'index.md': '# Start\n', 'bad.md': `Old word.\n\n${nested}` })
  const kind = await add('kind', { 'index.md': '# Start\n\nOld word.\n' })
  const bad = await post(hostile, 'Replace "Old" with "New" in bad.md')
  await delay(4000)
  await server.stop('SIGKILL')
  server = await startServer({ dataFolder })
  await using last = server
  let answers = 0
  const isOver = new AbortController()
  const watch = async (): Promise<void> => {
    while (!isOver.signal.aborted) {
      expect((await last.request('GET', '/healthz')).status).toBe(200)
      answers++
      await delay(50)
    }
  }
  const watched = watch()
  const good = await post(kind, 'Replace "Old" with "New" in index.md')
  expect(await settledJob(last, good, key)).toMatchObject({ status: 'completed' })
  // The built-in model cannot read it in its time either, and says so.
  expect(await settledJob(last, bad, key)).toMatchObject({ status: 'completed', outcome: 'no_change' })
  const { turns } = (await (await last.request('GET', `${bad}/turns`, { key })).json()) as {
    turns: { summary: string }[]
  }
  expect(turns.at(-1)?.summary).toMatch(/more than the built-in model can read in the time/)
  isOver.abort()
  await watched
  // One that reads the page itself answers once before and once after that.
  expect(answers).toBeGreaterThan(5)
})
