import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from './server.ts'

const root = join(import.meta.dirname, '..')
/** Keys that the server of the backup made. They open nothing else. */
const adminKey = 'svc_eZwINVVcDuuv2sRiIqUgz0J79K8ibHAQnRvqOBGGGOG'
const assistantKey = 'svc_dsc_x5q3JnV5nkdNIgZW4wJm8HPPPsjdg47cD86MpNdZJrF'
const projectId = 'prj_01a207c3-623e-7071-9f19-0dbf5d73cbe5'
const jobId = 'job_01a207c3-8407-7574-a27c-3fc6cfef19e0'

let folder: string
let server: TestServer

const docwright = async (...given: string[]): Promise<string> => {
  const bin = join(root, 'bin/docwright.js')
  return (await promisify(execFile)(process.execPath, [bin, ...given, '--data', folder])).stdout
}

beforeAll(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'upgrade-')), 'data')
  await docwright('restore', join(root, 'tests/upgrades/2026-11-21.backup'))
  // Its conversations are kept however long ago they were.
  server = await startServer({
    dataFolder: folder,
    environment: { DOCWRIGHT_THREAD_RETENTION_DAYS: '36500' },
  })
})
afterAll(async () => {
  await server?.stop()
  await rm(join(folder, '..'), { recursive: true, force: true })
})

it('goes on with the jobs, pull requests and keys of the first version', async () => {
  const job = await server.request('GET', `/v2/agent/${projectId}/job/${jobId}`, { key: adminKey })
  expect(await job.json()).toMatchObject({
    status: 'completed',
    title: 'Add a note to "Install"',
    pullRequest: { number: 1, state: 'open' },
    changes: [{ path: 'guides/install.mdx', status: 'modified' }],
  })
  expect(await docwright('pull', 'merge', '1', '--project', 'small')).toContain('merged')
  const watched = await docwright('job', 'create', 'Add a note to the install page: "Bring tea."', '--watch')
  expect(watched).toContain('/projects/small/pulls/2')
})

it('answers from its pages, and shows what was asked before', async () => {
  const answer = await server.request('POST', '/discovery/v2/assistant/small/message', {
    key: assistantKey,
    body: {
      fp: 'anonymous',
      messages: [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'What does small setup do?' }] }],
    },
  })
  expect(await answer.text()).toContain('small setup')
  const threads = await server.request('GET', `/v2/insights/${projectId}/threads`, { key: adminKey })
  expect(JSON.stringify(await threads.json())).toContain('Is there an app for phones?')
})
