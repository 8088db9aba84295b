import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, type Socket, connect } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { checkRemote } from './check-remote.ts'
import { fetchMirror } from '../mirrors/fetch-mirror.ts'
import { type GitServer, startGitServer } from '../../../../tests/worlds/git/git-server.ts'
import { type Git, createGit } from '../git.ts'
import { openMirror } from '../mirrors/open-mirror.ts'
import { ownAuthority } from '../../../../tests/worlds/git/own-authority.ts'
import { pushBranch } from './push-branch.ts'
import { remoteFromUrl } from '../remote.ts'
import { resolveReference } from '../resolve-reference.ts'
import { plainGit, temporaryFolder } from '../../../../tests/worlds/git/temporary-git.ts'

type Setting = { folder: string; authority: string; server: GitServer; origin: string }

// A host on 127.0.0.1 and docs.invalid whose certificate is of an authority of one's own.
async function hostOfOwnAuthority(): Promise<Setting> {
  const folder = await temporaryFolder()
  const authority = join(folder, 'authority.pem')
  await writeFile(authority, ownAuthority.authority)
  const origin = join(folder, 'docs.git')
  plainGit('/', ['init', '-q', '--bare', '-b', 'main', origin])
  const tree = plainGit(origin, ['mktree'], '')
  plainGit(origin, ['update-ref', 'refs/heads/main', plainGit(origin, ['commit-tree', tree, '-m', 'Start'])])
  return { folder, authority, server: await startGitServer(origin, ownAuthority), origin }
}

function gitWith({ folder }: Setting, environment: Record<string, string>): Promise<Git> {
  const all = { PATH: process.env['PATH'] ?? '', ...environment }
  return createGit({ dataFolder: join(folder, 'data'), environment: all })
}

async function roundTrip(setting: Setting, git: Git, url: string): Promise<void> {
  const remote = remoteFromUrl(url)
  const mirror = await openMirror(git, join(setting.folder, 'data', `mirror-${performance.now()}.git`))
  await fetchMirror(mirror, remote)
  const commit = (await resolveReference(mirror, 'refs/heads/main')) ?? ''
  const branch = `job-${performance.now()}`
  expect(await pushBranch(mirror, remote, { branch, commit, expected: undefined })).toEqual({
    state: 'pushed',
  })
  expect(plainGit(setting.origin, ['rev-parse', branch])).toBe(commit)
}

test('a host with a certificate of an own authority is trusted by its file, and by nothing else', async () => {
  const setting = await hostOfOwnAuthority()
  const { server, authority } = setting
  await expect(checkRemote(await gitWith(setting, {}), remoteFromUrl(server.url))).rejects.toMatchObject({
    code: 'unavailable',
    message: `${server.url} has an untrusted TLS certificate. Set NODE_EXTRA_CA_CERTS to its CA certificate file`,
  })
  await roundTrip(setting, await gitWith(setting, { GIT_SSL_CAINFO: authority }), server.url)
  const git = await gitWith(setting, { NODE_EXTRA_CA_CERTS: authority })
  await roundTrip(setting, git, server.url)
  // Hosts of public authorities stay trusted beside it.
  const trusted = await readFile(git.environment['GIT_SSL_CAINFO'] ?? '', 'utf8')
  expect(trusted.match(/BEGIN CERTIFICATE/g)?.length).toBeGreaterThan(50)
  expect(trusted).toContain(await readFile(authority, 'utf8'))
})

test('so do the interfaces of hosts, in the same variable', async () => {
  const { server, authority } = await hostOfOwnAuthority()
  const script = `
    const { explainSilence } = await import(${JSON.stringify(import.meta.resolve('../../forges/http/attempt.ts'))})
    const address = ${JSON.stringify(`${server.url}/info/refs?service=git-upload-pack`)}
    process.stdout.write(await fetch(address).then(({ status }) => String(status), (error) => explainSilence(error).reason))
    process.exit(0)`
  const ask = async (environment: Record<string, string>): Promise<string> => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      env: { PATH: process.env['PATH'] ?? '', ...environment },
    })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    await once(child, 'close')
    return output
  }
  expect(await ask({})).toContain('its certificate is not trusted')
  expect(await ask({ NODE_EXTRA_CA_CERTS: authority })).toBe('200')
})

test('git goes through the proxy of the usual variables, and past it where they say so', async () => {
  const setting = await hostOfOwnAuthority()
  const { server, authority } = setting
  const tunnels: string[] = []
  const proxy = createServer((_, response) => response.writeHead(400).end())
  proxy.on('connect', (request, socket: Socket) => {
    tunnels.push(request.url ?? '')
    const far = connect(server.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      far.pipe(socket).pipe(far)
    })
    far.on('error', () => socket.destroy())
    socket.on('error', () => far.destroy())
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const git = await gitWith(setting, {
    HTTPS_PROXY: address,
    NO_PROXY: '127.0.0.1',
    NODE_EXTRA_CA_CERTS: authority,
  })
  // This name leads nowhere but through the proxy.
  await roundTrip(setting, git, 'https://docs.invalid/docs.git')
  expect(new Set(tunnels)).toEqual(new Set(['docs.invalid:443']))
  const before = tunnels.length
  await roundTrip(setting, git, server.url)
  expect(tunnels).toHaveLength(before)
})
