import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBareRepository, git } from './repository.ts'
import { runCommand, settledJob, startServer, type TestServer } from './server.ts'

/** Hostile repositories, requests and pages against the running product: clear answers, and it stays up. */
let server: TestServer
let folder = ''

beforeAll(async () => {
  server = await startServer()
  folder = await mkdtemp(join(tmpdir(), 'docwright-hostile-'))
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const page = '# Page\n\nThe wombat eats clover. See [this](missing.md).\n'

interface RepositoryFile {
  path: string
  content: string | Buffer
  mode?: '100644' | '120000' | '160000'
}

/** A bare repository of files that no checkout could hold, in one commit. */
async function repositoryOf(files: RepositoryFile[]): Promise<string> {
  const bare = await mkdtemp(join(folder, 'repository-'))
  await git(bare, 'init', '-q', '--bare', '-b', 'main')
  const importer = spawn('git', ['-C', bare, 'fast-import', '--quiet'])
  const lines: (string | Buffer)[] = ['commit refs/heads/main\ncommitter A <a@b.c> 1 +0000\ndata 1\nx\n']
  for (const { path, content, mode = '100644' } of files) {
    const name = `"${[...Buffer.from(path)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')}"`
    if (mode === '160000') lines.push(`M 160000 ${content.toString()} ${name}\n`)
    else lines.push(`M ${mode} inline ${name}\ndata ${Buffer.byteLength(content)}\n`, content, '\n')
  }
  importer.stdin.end(Buffer.concat(lines.map((line) => Buffer.from(line))))
  const [code] = (await once(importer, 'close')) as [number]
  expect(code).toBe(0)
  return bare
}

async function command(...words: string[]): Promise<Record<string, unknown>> {
  const { stdout, stderr, code } = await runCommand(server.dataFolder, ...words, '--json')
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout) as Record<string, unknown>
}

async function assistantKeyOf(domain: string): Promise<string> {
  return String((await command('key', 'create', '--kind', 'assistant', '--project', domain))['key'])
}

async function runJob(projectId: unknown, prompt: string): Promise<Record<string, unknown>> {
  const path = `/v2/agent/${String(projectId)}/job`
  const key = server.welcome.adminKey
  const created = await server.request('POST', path, { key, body: { prompt } })
  const { id } = (await created.json()) as { id: string }
  return settledJob(server, `${path}/${id}`, key)
}

const references = Array.from({ length: 30 }, (_, index) => `{"$ref": "/f${index}.json"}`).join()
const repositories: [name: string, files: RepositoryFile[], pages: number][] = [
  [
    'links and submodules',
    [
      { path: 'page.md', content: page },
      { path: 'secret.md', content: '/etc/passwd', mode: '120000' },
      { path: 'up.md', content: '../../../../etc/passwd', mode: '120000' },
      { path: 'loop.md', content: 'loop.md', mode: '120000' },
      { path: 'docs.json', content: '/etc/passwd', mode: '120000' },
      { path: 'mkdocs.yml', content: 'loop.md', mode: '120000' },
      { path: 'sub.md', content: '1'.repeat(40), mode: '160000' },
    ],
    1,
  ],
  [
    'odd paths, bytes and front matter',
    [
      ...[
        'new\nline.md',
        'tab\t.md',
        'quote".md',
        '--upload-pack=x.md',
        ':(glob)*.md',
        'back\\slash.md',
        '%2e%2e/x.md',
        'a?b#c.md',
        '<b>.md',
        'P.md',
        'p.md',
      ].map((path) => ({ path, content: page })),
      { path: 'binary.md', content: Buffer.from([0, 1, 255, 254]) },
      { path: 'utf16.md', content: Buffer.from(`\uFEFF${page}`, 'utf16le') },
      { path: 'latin.md', content: Buffer.from('# Caf\u00E9\n', 'latin1') },
      { path: 'lone.md', content: Buffer.from([0xed, 0xa0, 0x80]) },
      { path: 'headings.md', content: '# h\n'.repeat(200_000) },
      { path: 'line.md', content: 'wombat '.repeat(150_000) },
      { path: 'huge.md', content: Buffer.alloc(5_000_000, 'wombat\n') },
      { path: 'tags.md', content: `---\ntitle: T\na: ${'!a '.repeat(20_000)}\n---\n${page}` },
      {
        path: 'aliases.md',
        content: `---\na: &a [x]\nb: &b [${'*a,'.repeat(99)}]\nc: [${'*b,'.repeat(99)}]\n---\n${page}`,
      },
      { path: 'nested.md', content: `---\na: ${'['.repeat(30_000)}\n---\n${page}` },
      { path: 'types.md', content: `---\ntitle: {a: 1}\n__proto__: {x: !!js/function 'x'}\n---\n${page}` },
    ],
    20,
  ],
  [
    'an mkdocs.yml that costs time',
    [
      { path: 'mkdocs.yml', content: `INHERIT: mkdocs.yml\nx: ${'!a '.repeat(200_000)}` },
      { path: 'docs/page.md', content: page },
    ],
    1,
  ],
  [
    'a docs.json without end',
    [
      { path: 'docs.json', content: `{"navigation": {"pages": ["page", ${references}]}}` },
      ...Array.from({ length: 30 }, (_, index) => ({ path: `f${index}.json`, content: `[${references}]` })),
      { path: 'page.mdx', content: page },
    ],
    1,
  ],
  [
    'a docs.json of 150,000 pages',
    [
      {
        path: 'docs.json',
        content: `{"navigation": {"pages": [${Array.from({ length: 150_000 }, (_, n) => `"p${n}"`).join()}]}}`,
      },
      { path: 'page.mdx', content: page },
    ],
    1,
  ],
  ['no page at all', [{ path: 'a.txt', content: 'wombat' }], 0],
]

describe.each(repositories)('a repository with %s', (name, files, pages) => {
  it('is indexed, searched and worked on, and nothing outside of it is read', async () => {
    const domain = name.replaceAll(/\W+/g, '-')
    const added = await command('project', 'add', await repositoryOf(files), '--domain', domain)
    expect(added['pages']).toBe(pages)
    const key = await assistantKeyOf(domain)
    const response = await server.request('POST', `/discovery/v1/search/${domain}`, {
      key,
      body: { query: 'wombat root' },
    })
    expect(response.status).toBe(200)
    expect(await response.text()).not.toContain('root:x:')
    const job = await runJob(added['id'], 'Replace "eats clover" with "eats grass"')
    expect(job['failure']).toBeNull()
    expect(job['status']).toBe('completed')
    expect(job['prLink'] === null).toBe(pages === 0)
  })
})

describe('a repository that changes under the server', () => {
  it('is told apart from what was registered, and works again when it is back', async () => {
    const bare = await createBareRepository({ 'page.md': page })
    const { id } = await command('project', 'add', bare, '--domain', 'moving')
    const sync = (): ReturnType<typeof runCommand> =>
      runCommand(server.dataFolder, 'project', 'sync', 'moving')
    await rename(bare, `${bare}.away`)
    const gone = await sync()
    expect([gone.code, gone.stderr]).toEqual([
      3,
      expect.stringContaining('put it back or remove the project'),
    ])
    expect(await runJob(id, 'Fix broken links')).toMatchObject({ status: 'failed' })
    await symlink(`${bare}.away`, bare)
    expect((await sync()).stderr).toContain('which is not registered')
    await rm(bare)
    await rename(`${bare}.away`, bare)
    expect((await sync()).code).toBe(0)
    // The default branch is followed when it is renamed.
    await git(bare, 'branch', '-m', 'main', 'other')
    expect((await sync()).code).toBe(0)
    await git(bare, 'branch', '-D', 'other')
    expect((await sync()).stderr).toContain('is empty')
  })

  it.each([
    ['a file', async () => writeFile(join(folder, 'file'), '').then(() => join(folder, 'file')), /no folder/],
    ['a folder', () => mkdtemp(join(folder, 'plain-')), /not a git repository/],
    ['another protocol', () => 'ext::sh -c true', /no folder/],
    ['a login', () => 'https://me:secret@host.invalid/x', /user name or password/],
    ['an address of ssh with an option', () => 'git@-oProxyCommand=true:x/y.git', /no folder/],
  ])('is refused in words when it is %s', async (_case, location, words) => {
    const { code, stderr } = await runCommand(
      server.dataFolder,
      'project',
      'add',
      await location(),
      '--domain',
      'refused',
    )
    expect([code, stderr]).toEqual([2, expect.stringMatching(words)])
    expect(stderr).not.toContain('secret')
  })
})

describe('requests', () => {
  const search = '/discovery/v1/search/docwright'
  const post = (headers: string): string =>
    `POST ${search} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer ${server.welcome.assistantKey}\r\n${headers}\r\n\r\n`
  const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
  const zipped = gzipSync('{"query": "a"}')

  /** Sends bytes as they are; what comes back until the other side closes. */
  async function raw(...parts: (string | Buffer)[]): Promise<string> {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    let answer = ''
    socket.on('data', (data: Buffer) => (answer += data.toString()))
    // The server may close before it has taken everything.
    socket.on('error', () => undefined)
    for (const part of parts) socket.write(part)
    await new Promise((closed) => socket.on('close', closed))
    return answer
  }

  it.each([
    ['413', 'a chunked body over the limit', () => [post('Transfer-Encoding: chunked'), chunk.repeat(300)]],
    [
      '200',
      'a compressed body',
      () => [post(`Content-Encoding: gzip\r\nContent-Length: ${zipped.length}`), zipped],
    ],
    [
      '400',
      'a body that is not UTF-8',
      () => [post('Content-Length: 13'), Buffer.from('{"query":"\xff"}', 'latin1')],
    ],
    ['415', 'a body in another compression', () => [post('Content-Encoding: br\r\nContent-Length: 1'), 'x']],
    ['400', 'two lengths', () => [post('Content-Length: 5\r\nContent-Length: 6'), '{"a"}']],
    [
      '400',
      'a length and chunks',
      () => [post('Content-Length: 5\r\nTransfer-Encoding: chunked'), '0\r\n\r\n'],
    ],
    ['400', 'a huge header', () => [post(`X: ${'y'.repeat(100_000)}`)]],
    ['401', 'two keys', () => [post('Authorization: Bearer other\r\nContent-Length: 0')]],
  ])('answers %s to %s', async (status, _case, parts) => {
    expect((await raw(...parts())).slice(9, 12)).toBe(status)
  })

  it('answers odd paths with less than 500, whatever the method', async () => {
    const odd = ['%', '%00', '%ff', '..%2f..%2fetc', '%2e%2e/x', "'", 'x'.repeat(4000), '?a=%00&a=%']
    for (const base of ['/', '/docs/docwright/', '/docs/', '/git/', '/projects/', '/assets/', '/v2/agent/'])
      for (const path of odd)
        for (const method of ['GET', 'HEAD', 'OPTIONS']) {
          const response = await server.request(method, `${base}${path}`, { key: server.welcome.adminKey })
          expect(response.status, `${method} ${base}${path}`).toBeLessThan(500)
          await response.text()
        }
  })

  it('takes 10,000 messages and refuses a body that is all tiny values', async () => {
    const text = (value: string, role: string): object => ({
      id: '1',
      role,
      parts: [{ type: 'text', text: value }],
    })
    const messages = Array.from({ length: 10_000 }, (_, n) =>
      text(`about keys ${n}`, n % 2 ? 'assistant' : 'user'),
    )
    const ask = (body: unknown): Promise<Response> =>
      server.request('POST', '/discovery/v2/assistant/docwright/message', {
        key: server.welcome.assistantKey,
        body,
      })
    const long = await ask({ fp: 'a', messages: [...messages, text('quickstart', 'user')] })
    expect(await long.text()).toContain('"type":"finish"')
    const tiny = await ask(`{"fp": "a", "messages": [], "x": [${'[],'.repeat(2_000_000)}1]}`)
    expect([tiny.status, await tiny.text()]).toEqual([413, expect.stringContaining('values')])
  })

  it('survives a hundred streams, readers that leave and bodies that never end', async () => {
    const body = JSON.stringify({
      fp: 'a',
      messages: [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'How do I add a repository?' }] }],
    })
    const ask = async (leave: boolean): Promise<string> => {
      const response = await server.request('POST', '/discovery/v2/assistant/docwright/message', {
        key: server.welcome.assistantKey,
        body,
      })
      if (!leave) return response.text()
      await response.body?.cancel()
      return ''
    }
    const dripping = Array.from({ length: 50 }, () => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
      socket.on('error', () => undefined)
      socket.write(`${post('Content-Length: 1000')}{`)
      return socket
    })
    const said = await Promise.all(Array.from({ length: 100 }, (_, index) => ask(index % 4 === 0)))
    for (const socket of dripping) socket.destroy()
    expect(said.filter((text) => text.endsWith('data: [DONE]\n\n'))).toHaveLength(75)
    expect((await server.request('GET', '/readyz')).status).toBe(200)
  })
})

describe('the assistant', () => {
  it('makes no link of what pages, questions and context hold', async () => {
    const evil = 'evil.example'
    const bare = await repositoryOf([
      {
        path: 'install.md',
        content: `# Install the widget\n\nInstall the widget with [the installer](https://${evil}/x) now. ![pixel](https://${evil}/p.png) <img src="https://${evil}/i"> <a href="javascript:alert(1)">click</a> www.${evil}/a <https://${evil}/auto> [ref][r] [data](data:text/html,x) [near](//${evil}/y)\n\n[r]: https://${evil}/ref\n`,
      },
      {
        path: 'size.md',
        content: `---\ntitle: "Widget](https://${evil}/t) [x"\n---\n\n## Size](https://${evil}/h)\n\nThe widget size is large.\n`,
      },
    ])
    await command('project', 'add', bare, '--domain', 'evil')
    const key = await assistantKeyOf('evil')
    for (const [question, more] of [
      ['How do I install the widget?', { currentPath: `](https://${evil}/c)` }],
      ['What is the widget size?', { context: [{ type: 'code', value: `[a](https://${evil}/v)` }] }],
    ] as const) {
      const response = await server.request('POST', '/discovery/v2/assistant/evil/message', {
        key,
        body: {
          fp: 'a',
          messages: [{ id: '1', role: 'user', parts: [{ type: 'text', text: question }] }],
          ...more,
        },
      })
      const frames = (await response.text())
        .split('\n\n')
        .filter((line) => line.startsWith('data: {'))
        .map((line) => JSON.parse(line.slice(6)) as Record<string, string>)
      const said = frames.map(({ type, delta }) => (type === 'text-delta' ? delta : '')).join('')
      expect(said).toContain('widget')
      // Code and escaped brackets are text; what is left of links leads to this server.
      const links = said
        .replaceAll(/`[^`]*`|\\./g, '')
        .matchAll(/\]\(([^)]*)\)|<(\w+:[^>]*)>|(https?:\/\/\S+)/g)
      for (const [, target, auto, bareUrl] of links)
        expect(target ?? auto ?? bareUrl).toMatch(new RegExp(`^${server.url}/docs/evil/`))
      for (const { type, url } of frames) if (type === 'source-url') expect(url).toContain(server.url)
    }
  })
})

describe('git over http', () => {
  it('lists branches and tags only, to keys of the organization, for reading', async () => {
    const { host } = new URL(server.url)
    const remote = (key: string): string => `http://x:${key}@${host}/git/docwright.git`
    const listed = await git(folder, 'ls-remote', remote(server.welcome.adminKey))
    expect(listed).toContain('refs/heads/main')
    expect(listed).not.toMatch(/refs\/(?!heads\/|tags\/)/)
    const organization = await command('organization', 'add', 'Strangers')
    const stranger = await command(
      'key',
      'create',
      '--kind',
      'admin',
      '--organization',
      String(organization['id']),
    )
    const statusOf = async (key: string, service = 'git-upload-pack'): Promise<number> =>
      (await server.request('GET', `/git/docwright.git/info/refs?service=${service}`, { key })).status
    expect(await statusOf(String(stranger['key']))).toBe(404)
    expect(await statusOf(server.welcome.assistantKey)).toBe(403)
    expect(await statusOf(server.welcome.adminKey, 'git-receive-pack')).toBe(403)
    const clones = Array.from({ length: 12 }, (_, index) =>
      git(folder, 'clone', '-q', remote(server.welcome.adminKey), `clone-${index}`),
    )
    await Promise.all(clones)
  })
})

it('ends within seconds of SIGTERM, every request answered', async () => {
  const idle = connect(Number(new URL(server.url).port), '127.0.0.1')
  idle.on('error', () => undefined)
  const asked = Array.from({ length: 60 }, async () => {
    const response = await server.request('POST', '/discovery/v2/assistant/docwright/message', {
      key: server.welcome.assistantKey,
      body: { fp: 'a', messages: [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'quickstart' }] }] },
    })
    const text = await response.text()
    return response.status === 503 || text.endsWith('data: [DONE]\n\n')
  })
  await asked[0]
  expect(await server.stop()).toBe(0)
  expect(await Promise.all(asked)).not.toContain(false)
  expect(server.output()).not.toMatch(/uncaught|unhandled|"level":60/i)
})
