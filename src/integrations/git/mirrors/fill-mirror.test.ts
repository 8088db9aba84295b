import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, existsSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fetchMirror } from './fetch-mirror.ts'
import { halfFolder } from './fill-mirror.ts'
import { startGitServer } from '../../../../tests/worlds/git/git-server.ts'
import type { Repository } from '../git.ts'
import { openMirror } from './open-mirror.ts'
import { remoteFromUrl } from '../remote.ts'
import { plainGit, temporaryFolder, temporaryGit } from '../../../../tests/worlds/git/temporary-git.ts'

const commits = 400
const bytesEach = 20_000

// Each commit replaces a file by noise: 8 MB of history, of which the newest commit has little.
async function source(): Promise<string> {
  const folder = join(await temporaryFolder(), 'docs.git')
  plainGit('/', ['init', '-q', '--bare', '-b', 'main', folder])
  const parts: (string | Buffer)[] = []
  for (let n = 1; n <= commits; n++) {
    const content = randomBytes(bytesEach)
    parts.push(`commit refs/heads/main\ncommitter A <a@example.com> ${n} +0000\ndata 1\nx\n`)
    parts.push(`M 100644 inline noise.bin\ndata ${bytesEach}\n`, content, '\n')
    if (n === 150) parts.push('commit refs/heads/topic\ncommitter A <a@example.com> 9 +0000\ndata 1\ny\n')
    if (n === 150) parts.push('from refs/heads/main\nM 100644 inline topic.md\ndata 1\nt\n')
  }
  parts.push('reset refs/tags/v1\nfrom refs/heads/topic\n')
  plainGit(folder, ['fast-import', '--quiet'], Buffer.concat(parts.map((part) => Buffer.from(part))))
  return folder
}

async function mirrored(): Promise<Repository> {
  const { git, folder } = await temporaryGit()
  return openMirror(git, join(folder, 'data', 'mirrors', 'docs.git'))
}

function references(folder: string): string {
  return plainGit(folder, ['for-each-ref', '--format=%(objectname) %(refname)'])
}

async function startFileServer(folder: string): Promise<string> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://x').pathname.replace('/docs.git/', '')
    createReadStream(join(folder, path))
      .on('error', () => response.writeHead(404).end())
      .pipe(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/docs.git`
}

async function beside(mirror: Repository): Promise<string[]> {
  return (await readdir(join(mirror.folder, '..'))).filter((name) => name !== 'docs.git')
}

test('a first fetch that the network cuts goes on where it was, unseen until it is whole', async () => {
  const origin = await source()
  const server = await startGitServer(origin)
  const remote = remoteFromUrl(server.url)
  const mirror = await mirrored()

  server.cutAfter(2_000_000)
  await expect(fetchMirror(mirror, remote)).rejects.toMatchObject({
    code: 'unavailable',
    message: `${server.url} could not be reached: try again later`,
  })
  // A hundred commits of each branch arrive, the rest breaks off again.
  server.cutAfter(5_000_000)
  await expect(fetchMirror(mirror, remote)).rejects.toMatchObject({ code: 'unavailable' })
  expect(existsSync(join(halfFolder(mirror.folder), 'shallow'))).toBe(true)
  expect(references(mirror.folder)).toBe('')

  const before = server.sent()
  await fetchMirror(mirror, remote, { head: 'main' })
  expect(server.sent() - before).toBeLessThan(6_000_000)
  expect(references(mirror.folder)).toBe(references(origin))
  expect(plainGit(mirror.folder, ['rev-list', '--count', 'main'])).toBe(String(commits))
  expect(plainGit(mirror.folder, ['rev-parse', '--is-shallow-repository'])).toBe('false')
  expect(plainGit(mirror.folder, ['fsck', '--full'])).toBe('')
  expect(await beside(mirror)).toEqual([])
})

test('so does one whose server was stopped, and one that took too long', async () => {
  const server = await startGitServer(await source())
  const remote = remoteFromUrl(server.url)
  const mirror = await mirrored()
  const stop = new AbortController()
  const onProgress = ({ phase }: { phase: string }): void => {
    if (phase === 'receiving objects') stop.abort(new Error('stopping'))
  }
  await expect(fetchMirror(mirror, remote, { onProgress, signal: stop.signal })).rejects.toThrow('stopping')
  expect(await beside(mirror)).toEqual(['docs.git.half'])
  // As a killed git leaves them.
  const half = halfFolder(mirror.folder)
  await writeFile(join(half, 'objects', 'pack', 'tmp_pack_Killed'), 'half a pack')

  server.stall('')
  await expect(fetchMirror(mirror, remote, { deadline: 500 })).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('could not be fetched within 0.5 s') as string,
  })
  expect(await readdir(join(half, 'objects', 'pack'))).toEqual([])
})

test('a host that cannot do steps is asked for all at once', async () => {
  const origin = await source()
  const server = await startGitServer(origin)
  const mirror = await mirrored()
  server.cutAfter(2_000_000)
  await expect(fetchMirror(mirror, remoteFromUrl(server.url))).rejects.toMatchObject({ code: 'unavailable' })
  expect(await beside(mirror)).toEqual(['docs.git.half'])
  // A plain file server: git reads it with its old protocol, which knows no steps.
  plainGit(origin, ['update-server-info'])
  const plain = await startFileServer(origin)
  await fetchMirror(mirror, remoteFromUrl(plain))
  expect(references(mirror.folder)).toBe(references(origin))
})

test('nothing stays of a host that is away or of a repository that is too large', async () => {
  const server = await startGitServer(await source())
  const mirror = await mirrored()
  await expect(fetchMirror(mirror, remoteFromUrl('http://127.0.0.1:9/docs.git'))).rejects.toMatchObject({
    code: 'unavailable',
  })
  expect(await beside(mirror)).toEqual([])
  server.cutAfter(2_000_000)
  await expect(fetchMirror(mirror, remoteFromUrl(server.url))).rejects.toMatchObject({ code: 'unavailable' })
  const small = { ...mirror, git: { ...mirror.git, mirrorBytes: 1_000_000 } }
  await expect(fetchMirror(small, remoteFromUrl(server.url))).rejects.toMatchObject({ code: 'too_large' })
  expect(await beside(mirror)).toEqual([])
})
