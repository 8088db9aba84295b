import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { checkRemote } from './remotes/check-remote.ts'
import { createRepository, writeCommit } from './mirrors/create-repository.ts'
import type { Repository } from './git.ts'
import { fetchMirror } from './mirrors/fetch-mirror.ts'
import { openMirror } from './mirrors/open-mirror.ts'
import { pushBranch } from './remotes/push-branch.ts'
import { remoteFromUrl } from './remote.ts'
import { resolveReference } from './resolve-reference.ts'
import { type ServedPack, servePack, serveReferences } from './serve-upload-pack.ts'
import { plainGit, someone, temporaryGit, text } from '../../../tests/worlds/git/temporary-git.ts'
import { updateReference } from './update-reference.ts'

type Served = { repository: Repository; url: string; hidden: string; requests: string[] }

// What an HTTP handler of the product does with the two functions, and no more. Needs "user:key" with `locked`.
async function served(options: { locked?: boolean } = {}): Promise<Served> {
  const { git, folder } = await temporaryGit()
  const { repository } = await createRepository(git, join(folder, 'repo.git'), {
    branch: 'main',
    files: Array.from({ length: 400 }, (_, n) => ({
      path: `pages/${n}.md`,
      content: text(`page ${n}\n`.repeat(50)),
    })),
    message: 'Seed',
    author: someone,
    date: new Date(0),
  })
  const main = (await resolveReference(repository, 'refs/heads/main')) ?? ''
  const { commit: hidden } = await writeCommit(repository, {
    parents: [main],
    changes: [{ path: 'secret.md', content: text('s') }],
    message: 'hidden',
    author: someone,
    date: new Date(0),
  })
  await updateReference(repository, { reference: 'refs/docwright/jobs/1', commit: hidden })
  const requests: string[] = []
  const server = createServer((request, response) => {
    const protocol = request.headers['git-protocol']
    const common = { protocol: typeof protocol === 'string' ? protocol : undefined }
    requests.push(`${request.method} ${request.url} ${request.headers['content-encoding'] ?? ''}`)
    const send = async (answer: Promise<ServedPack>) => {
      const { contentType, body } = await answer
      response.writeHead(200, { 'content-type': contentType })
      Readable.fromWeb(body)
        .on('error', () => response.destroy())
        .pipe(response)
    }
    const key = `Basic ${Buffer.from('user:key').toString('base64')}`
    if (options.locked === true && request.headers.authorization !== key) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
    } else if (request.url === '/repo.git/info/refs?service=git-upload-pack')
      void send(serveReferences(repository, common))
    else if (request.url === '/repo.git/git-upload-pack') {
      const isPacked = request.headers['content-encoding'] === 'gzip'
      void buffer(request).then((body) =>
        send(servePack(repository, { ...common, body: isPacked ? gunzipSync(body) : body })),
      )
    } else if (request.url?.startsWith('/moved.git') === true) {
      response.writeHead(301, { location: request.url.replace('moved', 'repo') }).end()
    } else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { repository, url: `http://127.0.0.1:${address.port}`, hidden, requests }
}

async function realGit(args: string[]): Promise<string> {
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: '/nonexistent',
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_NOSYSTEM: '1',
  }
  return (await promisify(execFile)('git', args, { env })).stdout
}

test('a real git clones and fetches, with every protocol version', async () => {
  const { repository, url } = await served()
  for (const version of ['0', '1', '2']) {
    const target = join(repository.git.folder, `clone-${version}`)
    await realGit(['-c', `protocol.version=${version}`, 'clone', '-q', `${url}/repo.git`, target])
    expect(plainGit(target, ['ls-files']).split('\n')).toHaveLength(400)
    expect(plainGit(target, ['branch', '--show-current'])).toBe('main')
    await realGit(['-c', `protocol.version=${version}`, '-C', target, 'fetch', '-q'])
  }
})

test('our own references are neither listed nor fetched by name', async () => {
  const { repository, url, hidden } = await served()
  for (const version of ['0', '2']) {
    const listed = await realGit(['-c', `protocol.version=${version}`, 'ls-remote', `${url}/repo.git`])
    expect(listed).toContain('refs/heads/main')
    expect(listed).not.toContain('docwright')
    expect(listed).not.toContain(hidden)
  }
  const clone = join(repository.git.folder, 'clone')
  await realGit(['clone', '-q', `${url}/repo.git`, clone])
  await expect(realGit(['-C', clone, 'fetch', '-q', 'origin', 'refs/docwright/jobs/1'])).rejects.toThrow(
    'remote ref',
  )
})

test('what git does not understand is refused with a word for the log, and what it refuses is an answer', async () => {
  const { repository } = await served()
  const main = (await resolveReference(repository, 'refs/heads/main')) ?? ''
  const packet = (line: string) => (line.length + 4).toString(16).padStart(4, '0') + line
  const wants = (commit: string) => text(`${packet(`want ${commit}\n`)}0000${packet('done\n')}`)
  const read = async (answer: ServedPack) => Buffer.concat(await Readable.fromWeb(answer.body).toArray())
  expect((await read(await servePack(repository, { body: wants(main) }))).indexOf('PACK')).toBeGreaterThan(0)
  for (const [body, protocol, why] of [
    ['garbage', undefined, 'bad line length'],
    ['garbage'.repeat(100_000), undefined, 'bad line length'],
    [`${packet('command=bogus\n')}0000`, 'version=2', 'invalid command'],
  ] as const) {
    const failures: string[] = []
    const onFailure = ({ message }: Error): void => void failures.push(message)
    await expect(servePack(repository, { body: text(body), protocol, onFailure })).rejects.toMatchObject({
      code: 'invalid',
    })
    expect(failures).toEqual([expect.stringContaining(why)])
  }
  const refused = await read(await servePack(repository, { body: wants('1'.repeat(40)) }))
  expect(refused.toString()).toContain('ERR upload-pack: not our ref')
})

test('a client that leaves ends git', async () => {
  const { repository } = await served()
  const { body } = await serveReferences(repository, {})
  await body.cancel()
  const stop = new AbortController()
  stop.abort(new Error('gone'))
  await expect(servePack(repository, { body: text('0000'), signal: stop.signal })).rejects.toThrow('gone')
})

test('clones beyond those served at once wait, and answers that are left make room', async () => {
  const { repository } = await served()
  const left = await Promise.all(Array.from({ length: 4 }, () => serveReferences(repository, {})))
  const next = serveReferences(repository, {})
  for (const { body } of left) await body.cancel()
  expect((await Readable.fromWeb((await next).body).toArray()).length).toBeGreaterThan(0)
})

test('our own mirror works over http: credential, missing repository, redirect, refused push', async () => {
  const { repository, url } = await served({ locked: true })
  const { git } = repository
  const credential = { username: 'user', password: 'key' }
  const remote = remoteFromUrl(`${url}/repo.git`, { credential })
  expect((await checkRemote(git, remote)).branch).toBe('main')
  const mirror = await openMirror(git, join(git.folder, 'copy.git'))
  await fetchMirror(mirror, remote, { head: 'main' })
  const main = (await resolveReference(mirror, 'refs/heads/main')) ?? ''
  expect(main).toBe(await resolveReference(repository, 'refs/heads/main'))

  await expect(checkRemote(git, remoteFromUrl(`${url}/repo.git`))).rejects.toMatchObject({
    code: 'unauthorized',
  })
  await expect(checkRemote(git, remoteFromUrl(`${url}/none.git`, { credential }))).rejects.toMatchObject({
    code: 'not_found',
  })
  await expect(checkRemote(git, remoteFromUrl(`${url}/moved.git`, { credential }))).rejects.toThrow(
    'redirects',
  )
  await expect(
    pushBranch(mirror, remote, { branch: 'x', commit: main, expected: undefined }),
  ).rejects.toMatchObject({
    code: 'not_found',
  })
})
