import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join, normalize } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { openBrowser } from '../tests/browser.ts'
import { runCommand, startServer } from '../tests/server.ts'

/**
 * Builds the sites in examples/ with their own packages, one after the other, and asks each of them a question in a
 * real browser. `npm run try:examples [name…]`; it needs the registry of packages, and MkDocs on the machine.
 */
const run = promisify(execFile)
const examples = join(import.meta.dirname, '../examples')
const question = 'How do I revoke a key?'
/**
 * Where each one's build leaves the site, whether it has the widget or a chat of its own, and the program that builds
 * it where that is no package of npm.
 */
const sites: Record<string, { built: string; chat: 'widget' | 'own'; program?: string }> = {
  vitepress: { built: '.vitepress/dist', chat: 'widget' },
  starlight: { built: 'dist', chat: 'widget' },
  docusaurus: { built: 'build', chat: 'widget' },
  nextjs: { built: 'out', chat: 'widget' },
  mkdocs: { built: 'site', chat: 'widget', program: 'mkdocs' },
  'react-chat': { built: 'dist', chat: 'own' },
}
const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
}

const present = (await readdir(examples, { withFileTypes: true }))
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
const names = process.argv.length > 2 ? process.argv.slice(2) : present
await using server = await startServer()
const browser = await openBrowser()
try {
  for (const name of names) {
    const program = sites[name]?.program
    if (program !== undefined && !(await isInstalled(program))) {
      console.log(`LEFT OUT ${name}: the program ${program} is not on this machine`)
      continue
    }
    try {
      await tryExample(name)
      console.log(`ok      ${name}`)
    } catch (error) {
      process.exitCode = 1
      console.log(`failed  ${name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
} finally {
  await browser.close()
}

async function tryExample(name: string): Promise<void> {
  const site = sites[name]
  if (site === undefined) throw new Error('There is no such example')
  const folder = await mkdtemp(join(tmpdir(), `docwright-example-${name}-`))
  const http = serveFolder(join(folder, site.built))
  try {
    await once(http, 'listening')
    const origin = `http://localhost:${(http.address() as AddressInfo).port}`
    await cp(join(examples, name), folder, {
      recursive: true,
      filter: (path) => !path.endsWith('node_modules'),
    })
    const options = {
      cwd: folder,
      maxBuffer: 1e8,
      env: {
        ...process.env,
        DOCWRIGHT_URL: server.url,
        DOCWRIGHT_DOMAIN: server.welcome.domain,
        DOCWRIGHT_KEY: await newKey(origin),
        SITE_URL: origin,
      },
    }
    if (site.program === undefined) {
      await run('npm', ['install', '--no-audit', '--no-fund'], options)
      await run('npm', ['run', 'build'], options)
    } else await run(site.program, ['build', '--strict'], options)
    await askAt(`${origin}/`, site.chat)
  } finally {
    http.closeAllConnections()
    http.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function isInstalled(program: string): Promise<boolean> {
  return run(program, ['--version']).then(
    () => true,
    () => false,
  )
}

async function newKey(origin: string): Promise<string> {
  const words = ['--kind', 'assistant', '--project', server.welcome.domain, '--origin', origin]
  const { stdout, stderr } = await runCommand(server.dataFolder, 'key', 'create', ...words)
  const key = /svc_dsc_\w+/.exec(stdout)?.[0]
  if (key === undefined) throw new Error(`No key was made: ${stdout}${stderr}`)
  return key
}

async function askAt(address: string, chat: 'widget' | 'own'): Promise<void> {
  const page = await browser.newPage()
  page.setDefaultTimeout(30_000)
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(address)
  const source = chat === 'widget' ? await askWidget(page) : await askChat(page)
  await source.waitFor()
  console.log(`        a source: ${await source.textContent()} ${await source.getAttribute('href')}`)
  if (complaints.length > 0) throw new Error(`The console says: ${complaints.join('\n')}`)
}

async function askWidget(page: Page) {
  await page.locator('docwright-assistant .launcher').click()
  const field = page.locator('docwright-assistant .composer textarea')
  await field.fill(question)
  await field.press('Enter')
  return page.locator('docwright-assistant .sources a').first()
}

async function askChat(page: Page) {
  await page.getByLabel('Question').fill(question)
  await page.getByRole('button', { name: 'Ask' }).click()
  return page.getByLabel('Sources').locator('a').first()
}

/** As a host of static files does it: a folder stands for its index.html. */
function serveFolder(root: string) {
  const http = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://site.test').pathname))
    const file = join(root, path.endsWith('/') ? `${path}index.html` : path)
    readFile(file).then(
      (content) => {
        response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' })
        response.end(content)
      },
      () => response.writeHead(404).end('No such page'),
    )
  })
  http.listen(0, '127.0.0.1')
  return http
}
