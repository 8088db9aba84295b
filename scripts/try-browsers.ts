/**
 * Walks through the product in Firefox, over WebDriver BiDi: signs in, comments by keys, switches pages, searches and selects. It is no part
 * of the suite, whose browser is Chromium.
 *
 *   npm run try:browsers [-- folder]   (keeps what it installs in the folder, so that another run begins with it)
 *
 * `FIREFOX` names the program. Without it, and without one on the machine, Debian's is unpacked into the folder.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { settledJob, startServer } from '../tests/server.ts'

/** What is used of puppeteer-core, which only this needs. */
interface Page {
  goto(address: string): Promise<unknown>
  url(): string
  evaluate(code: string): Promise<unknown>
  click(selector: string): Promise<void>
  waitForSelector(selector: string, options?: { hidden?: boolean; timeout?: number }): Promise<unknown>
  waitForFunction(code: string, options?: { timeout?: number }): Promise<unknown>
  setViewport(size: { width: number; height: number; hasTouch?: boolean }): Promise<void>
  keyboard: { press(key: string): Promise<void>; type(text: string): Promise<void> }
}
interface Puppeteer {
  launch(options: Record<string, unknown>): Promise<{
    newPage(): Promise<Page>
    version(): Promise<string>
    close(): Promise<void>
  }>
}

const given = process.argv[2]
const folder = given === undefined ? mkdtempSync(join(tmpdir(), 'docwright-browsers-')) : resolve(given)
const patience = { timeout: 60_000 }

try {
  const { executablePath, libraries } = firefox()
  const browser = await puppeteer().launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    env: { ...process.env, HOME: folder, ...(libraries && { LD_LIBRARY_PATH: libraries }) },
  })
  console.log(await browser.version())
  try {
    await walk(await browser.newPage())
  } finally {
    await browser.close()
  }
} finally {
  if (given === undefined) rmSync(folder, { recursive: true, force: true })
}

function puppeteer(): Puppeteer {
  const home = join(folder, 'puppeteer')
  mkdirSync(home, { recursive: true })
  if (!existsSync(join(home, 'node_modules/puppeteer-core')))
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', home, 'puppeteer-core@24'])
  const { default: all } = createRequire(join(home, 'x.js'))('puppeteer-core') as { default: Puppeteer }
  return all
}

function firefox(): { executablePath: string; libraries?: string } {
  const program = process.env['FIREFOX'] ?? ['firefox-esr', 'firefox'].map(onPath).find((path) => path !== '')
  if (program !== undefined) return { executablePath: program }
  const root = join(folder, 'root')
  const executablePath = join(root, 'usr/lib/firefox-esr/firefox-esr')
  if (!existsSync(executablePath)) {
    const archives = join(folder, 'archives')
    mkdirSync(join(archives, 'partial'), { recursive: true })
    const apt = ['install', '--yes', '--no-install-recommends', '--download-only']
    execFileSync('apt-get', [...apt, '-o', `Dir::Cache::archives=${archives}`, 'firefox-esr'])
    for (const name of readdirSync(archives).filter((file) => file.endsWith('.deb')))
      execFileSync('dpkg', ['--extract', join(archives, name), root])
  }
  return { executablePath, libraries: join(root, 'usr/lib/x86_64-linux-gnu') }
}

function onPath(name: string): string {
  try {
    return execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim()
  } catch {
    return ''
  }
}

async function walk(page: Page): Promise<void> {
  await using server = await startServer()
  const { projectId, adminKey, signInLink } = server.welcome
  const prompt = 'Replace "Docwright" with "Docwright server" in the quickstart page'
  const jobs = `/v2/agent/${projectId}/job`
  const made = (await (await server.request('POST', jobs, { key: adminKey, body: { prompt } })).json()) as {
    id: string
  }
  await settledJob(server, `${jobs}/${made.id}`, adminKey)

  const steps: [name: string, run: () => Promise<void>][] = [
    [
      'signs in by the link',
      async () => {
        await page.setViewport({ width: 1280, height: 900 })
        await page.goto(signInLink)
        await page.evaluate(
          `[...document.querySelectorAll('button')].find((one) => /sign in/i.test(one.textContent)).click()`,
        )
        await page.waitForFunction(`!location.pathname.startsWith('/sign-in')`, patience)
      },
    ],
    [
      'opens a comment on a change by j and c, on a fresh page',
      async () => {
        await page.goto(`${server.url}/projects/docwright/pulls/1`)
        await page.keyboard.press('j')
        await page.keyboard.press('c')
        await page.waitForSelector('#comment-body', patience)
        await page.keyboard.type('Replace with: A new line')
        expectSame(
          await page.evaluate(`document.querySelector('#comment-body').value`),
          'Replace with: A new line',
        )
      },
    ],
    [
      'keeps what is typed while the page changes, and sends it by Ctrl+Enter',
      async () => {
        const said = await server.request('POST', `${jobs}/${made.id}/comments`, {
          key: adminKey,
          body: { path: 'quickstart.mdx', line: 1, body: 'By somebody else' },
        })
        expectSame(said.status, 201)
        await page.waitForFunction(
          `document.querySelector('main').textContent.includes('By somebody else')`,
          patience,
        )
        expectSame(
          await page.evaluate(`document.querySelector('#comment-body').value`),
          'Replace with: A new line',
        )
        await page.evaluate(
          `document.querySelector('#comment-body').dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true }))`,
        )
        await page.waitForFunction(
          `document.querySelector('main').textContent.includes('A new line') && !document.querySelector('#comment-body')`,
          patience,
        )
      },
    ],
    [
      'moves between pages',
      async () => {
        for (const path of ['/jobs', '/assistant', '/settings', '/problems', ''])
          await page.goto(`${server.url}/projects/docwright${path}`)
        expectSame(await page.evaluate(`document.querySelector('h1') !== null`), true)
      },
    ],
    [
      'finds while one types, and offers to change what is selected',
      async () => {
        await page.goto(`${server.url}/docs/docwright/quickstart`)
        await page.click('#q')
        await page.keyboard.type('key')
        await page.waitForSelector('.search-results [role=option]', patience)
        await page.keyboard.press('Escape')
        await page.evaluate(`getSelection().selectAllChildren(document.querySelector('article p'))`)
        await page.waitForSelector('.change-this:not([hidden])', patience)
      },
    ],
    [
      'fits a phone with touch',
      async () => {
        await page.setViewport({ width: 390, height: 844 })
        await page.goto(`${server.url}/projects/docwright/pulls/1`)
        expectSame(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
      },
    ],
  ]
  for (const [name, run] of steps) {
    try {
      await run()
      console.log(`ok      ${name}`)
    } catch (error) {
      process.exitCode = 1
      console.log(`failed  ${name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}

function expectSame(found: unknown, wanted: unknown): void {
  if (found !== wanted) throw new Error(`${JSON.stringify(found)} is not ${JSON.stringify(wanted)}`)
}
