import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { freePort } from '../postgres-server.ts'
import { startServer, type TestServer } from '../server.ts'
import { startEndlessModel } from './endless-model.ts'

const page = await readFile('docs/operate/reverse-proxy.mdx', 'utf8')

interface Proxy {
  /** Where Debian puts it, which is in the path of root alone. */
  program: string
  version: string
  /** The whole configuration around what the page shows. */
  configuration(folder: string, port: number): string
  start(folder: string, file: string): string[]
}

const apacheModules = 'mpm_event authz_core ssl proxy proxy_http filter deflate'.split(' ')
const apacheBalancing = 'proxy_balancer lbmethod_bybusyness slotmem_shm proxy_hcheck'.split(' ')
const apache = (shown: string, modules: string[]): Proxy => ({
  program: '/usr/sbin/apache2',
  version: '-v',
  configuration: (folder, port) =>
    [
      `ServerRoot ${folder}`,
      `PidFile ${folder}/apache.pid`,
      `DefaultRuntimeDir ${folder}`,
      'User www-data',
      'Group www-data',
      ...modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`),
      `ErrorLog ${folder}/errors`,
      `Listen 127.0.0.1:${port}`,
      shown.replace('*:443', `*:${port}`),
    ].join('\n'),
  start: (_, file) => ['-DFOREGROUND', '-f', file],
})
const [apacheHost = '', apacheBalancer = ''] = shownAs('apache')

/** Each with what the page says, word for word but for addresses and files. */
const proxies: Record<string, Proxy> = {
  nginx: {
    program: '/usr/sbin/nginx',
    version: '-v',
    configuration: (folder, port) => {
      const [server = ''] = shownAs('nginx')
      const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${folder}/${name};`,
      )
      return `pid ${folder}/nginx.pid; events {} http { access_log off; ${paths.join(' ')}\n${server.replace('443', `127.0.0.1:${port}`)} }`
    },
    start: (folder, file) => ['-p', folder, '-c', file, '-e', 'stderr', '-g', 'daemon off;'],
  },
  Caddy: {
    program: '/usr/bin/caddy',
    version: 'version',
    configuration: (_, port) => {
      const [site = ''] = shownAs('text Caddyfile')
      const tls = 'tls /etc/ssl/docwright.crt /etc/ssl/docwright.key'
      return `{\n admin off\n auto_https disable_redirects\n}\n${site.replace('docwright.example.com {', `https://127.0.0.1:${port} {\n${tls}`)}`
    },
    start: (_, file) => ['run', '--adapter', 'caddyfile', '--config', file],
  },
  HAProxy: {
    program: '/usr/sbin/haproxy',
    version: '-v',
    configuration: (folder, port) => {
      const [all = ''] = shownAs('text haproxy.cfg')
      return `global\n  stats socket ${folder}/stats\n${all.replace(':443', `127.0.0.1:${port}`)}\n`
    },
    start: (_, file) => ['-db', '-f', file],
  },
  Apache: apache(apacheHost, apacheModules),
  'Apache with a balancer': apache(
    apacheHost.replace(/^ *ProxyPass .*$/m, apacheBalancer),
    apacheModules.concat(apacheBalancing),
  ),
}

describe.for(Object.entries(proxies))('%s as the page about reverse proxies has it', ([name, proxy]) => {
  const isThere = spawnSync(proxy.program, [proxy.version]).status === 0

  it.skipIf(!isThere)(
    'hands streams on as they come, and each of them ends when the server stops',
    async () => {
      await using model = await startEndlessModel()
      const [port, behind] = [await freePort(), await freePort()]
      await using server = await startServer({
        arguments: ['--port', `${behind}`],
        environment: {
          ...model.environment,
          DOCWRIGHT_PUBLIC_URL: `https://127.0.0.1:${port}`,
          DOCWRIGHT_TRUSTED_PROXIES: '127.0.0.1',
        },
      })
      await using running = await startProxy(proxy, port, behind)
      const { agent } = running
      await expect.poll(() => statusOf(agent, port, '/readyz')).toBe(200)
      if (name === 'HAProxy') await expect.poll(() => checksOf(running.folder)).toEqual(['L7OK', 'L7OK'])

      const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => ask(agent, port, server, n)))
      expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200))
      // The model never ends: a word that is here was not held back.
      const texts = await Promise.all(answers.map(readToFirstWord))
      const whole = texts.map(async ({ before, rest }) => before + (await rest))
      expect(await server.stop()).toBe(0)
      for (const answer of await Promise.all(whole)) {
        expect(answer).toMatch(/"type":"(error|finish)"/)
        expect(answer.trimEnd().endsWith('data: [DONE]')).toBe(true)
      }
      expect(server.output()).not.toMatch(/destroyed|is closed/)
    },
  )
})

/** The blocks of the page in one language. */
function shownAs(language: string): string[] {
  return [...page.matchAll(/^```(.+)\n([^]*?)^```$/gm)].flatMap(([, of, block = '']) =>
    of === language ? [block] : [],
  )
}

async function startProxy(
  proxy: Proxy,
  port: number,
  behind: number,
): Promise<AsyncDisposable & { agent: Agent; folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'docwright-proxy-'))
  await chmod(folder, 0o755)
  const [key, certificate, both] = ['docwright.key', 'docwright.crt', 'docwright.pem'].map((name) =>
    join(folder, name),
  )
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  const files = ['-keyout', `${key}`, '-out', `${certificate}`]
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', ...files, ...subject],
    {
      stdio: 'ignore',
    },
  )
  await writeFile(`${both}`, (await readFile(`${certificate}`, 'utf8')) + (await readFile(`${key}`, 'utf8')))
  const file = join(folder, 'configuration')
  const own = proxy
    .configuration(folder, port)
    .replaceAll('/etc/ssl/', `${folder}/`)
    .replaceAll(/(?:127\.0\.0\.1|10\.0\.0\.1[12]):4000/g, `127.0.0.1:${behind}`)
  await writeFile(file, own)
  const child = spawn(proxy.program, proxy.start(folder, file), {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: folder },
  })
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await listens(child, port, () => output)
  const agent = new Agent({ rejectUnauthorized: false })
  return {
    agent,
    folder,
    async [Symbol.asyncDispose]() {
      agent.destroy()
      const exited = once(child, 'exit')
      if (child.exitCode === null && child.kill('SIGTERM')) await exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function listens(child: ChildProcess, port: number, output: () => string): Promise<void> {
  const isOpen = (): Promise<boolean> =>
    new Promise((done) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy()
        done(true)
      }).once('error', () => done(false))
    })
  while (!(await isOpen())) {
    if (child.exitCode !== null) throw new Error(`The proxy ended:\n${output()}`)
    await new Promise((done) => setTimeout(done, 50))
  }
}

async function send(
  agent: Agent,
  port: number,
  path: string,
  headers: Record<string, string> = {},
  body?: string,
): Promise<IncomingMessage> {
  const method = body === undefined ? 'GET' : 'POST'
  const asked = request({ agent, host: '127.0.0.1', port, path, method, headers }).end(body)
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  return response
}

async function statusOf(agent: Agent, port: number, path: string): Promise<number | undefined> {
  const response = await send(agent, port, path)
  response.resume()
  return response.statusCode
}

function ask(agent: Agent, port: number, { welcome }: TestServer, n: number): Promise<IncomingMessage> {
  const messages = [{ role: 'user', parts: [{ type: 'text', text: `Question ${n}` }] }]
  const headers = { authorization: `Bearer ${welcome.assistantKey}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ fp: 'a', messages })
  return send(agent, port, '/discovery/v2/assistant/docwright/message', headers, body)
}

/** @returns what came up to the first word of the model, and the promise of what comes after it */
async function readToFirstWord(answer: IncomingMessage): Promise<{ before: string; rest: Promise<string> }> {
  let before = ''
  while (!before.includes('word')) {
    const chunk: Buffer | null = answer.read()
    if (chunk) before += chunk.toString()
    else await once(answer, 'readable')
  }
  return { before, rest: text(answer) }
}

/** What HAProxy's checks of the servers said last. */
async function checksOf(folder: string): Promise<(string | undefined)[]> {
  const socket = connect(join(folder, 'stats'))
  socket.end('show stat\n')
  const [head = '', ...lines] = (await text(socket)).split('\n').map((line) => line.split(','))
  const [kind, result] = ['svname', 'check_status'].map((column) => head.indexOf(column))
  return lines.flatMap((cells) =>
    ['one', 'two'].includes(cells[kind ?? -1] ?? '') ? [cells[result ?? -1]?.replace('* ', '')] : [],
  )
}
