import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Browser, Cookie, Page } from 'playwright-core'
import { openBrowser } from './browser.ts'
import { runCommand, startServer, type TestServer } from './server.ts'

let server: TestServer
let browser: Browser
let page: Page
let project: string
let job: string
let key: string
const complaints: string[] = []

const say = async (prompt: string): Promise<void> => {
  const answer = await server.request('POST', `/v2/agent/${project}/job/${job}/message`, {
    key,
    body: { prompt },
  })
  expect(answer.ok).toBe(true)
}
const prompts = (): Promise<number> => page.locator('.turn').count()
const typed = (): Promise<string> => page.getByLabel('Follow up').first().inputValue()
const isOpen = (selector: string): Promise<boolean> =>
  page
    .locator(selector)
    .first()
    .evaluate((part) => part.hasAttribute('open'))
/** Lost when the page is loaded anew. */
const mark = 'document.documentElement.isSamePage'

/** As in another tab. */
const signIn = async (former: Cookie[]): Promise<void> => {
  const { stdout } = await runCommand(server.dataFolder, 'sign-in')
  const token = /token=(\S+)/.exec(stdout)?.[1] ?? ''
  const answer = await server.request('POST', '/sign-in', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `token=${token}`,
  })
  const value = /session=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '')?.[1] ?? ''
  await page
    .context()
    .addCookies(
      former.map((cookie) => (cookie.name.endsWith('_session') ? Object.assign(cookie, { value }) : cookie)),
    )
}

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), openBrowser()])
  project = server.welcome.projectId
  key = server.welcome.adminKey
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(server.welcome.signInLink)
  await page.getByRole('button', { name: /sign in/i }).click()
  const body = { prompt: 'Replace "Docwright" with "Docwright server" in the quickstart page' }
  const made = await server.request('POST', `/v2/agent/${project}/job`, { key, body })
  job = ((await made.json()) as { id: string }).id
})
afterAll(async () => {
  await browser.close()
  await server[Symbol.asyncDispose]()
})

it('shows what happens while what a person types, has opened and selected stays', async () => {
  await page.goto(`${server.url}/projects/docwright/jobs/${job}`)
  await expect.poll(() => page.locator('.badge', { hasText: 'Open' }).count()).toBeGreaterThan(0)
  await page.evaluate(`${mark} = true`)
  const field = page.getByLabel('Follow up').first()
  await field.fill('Say more')
  await field.press('ArrowLeft')
  for (const part of ['details.events', '.review-file details'])
    await page
      .locator(part)
      .first()
      .evaluate((element) => element.toggleAttribute('open'))

  await say('Fix broken links')
  await expect.poll(prompts).toBe(2)
  await page.keyboard.type('!')
  expect(await typed()).toBe('Say mor!e')
  expect(await isOpen('details.events')).toBe(true)
  expect(await isOpen('.review-file details')).toBe(false)
  expect(await page.evaluate(mark)).toBe(true)
  expect(complaints).toEqual([])
})

it('goes on by itself after the server was restarted, with what happened meanwhile', async () => {
  const { port } = new URL(server.url)
  const { dataFolder } = server
  await server.stop()
  await expect.poll(() => page.getByText('Reconnecting…').isVisible()).toBe(true)
  server = await startServer({ dataFolder, arguments: ['--port', port] })
  await say('Add missing descriptions')
  await expect.poll(prompts).toBe(3)
  await expect.poll(() => page.getByText('Reconnecting…').count()).toBe(0)
  expect(await typed()).toBe('Say mor!e')
  expect(await page.evaluate(mark)).toBe(true)
})

it('offers to sign in to somebody who was signed out, and goes on afterwards', async () => {
  const cookies = await page.context().cookies()
  await page.context().clearCookies()
  await say('Fix broken links')
  await expect.poll(() => page.getByText('You’ve been signed out.').isVisible()).toBe(true)
  expect(await typed()).toBe('Say mor!e')
  // Another tab, which shows the same page after signing in.
  const link = await page.getByRole('link', { name: 'Sign in again' }).getAttribute('href')
  expect(new URL(link ?? '', page.url()).href).toBe(
    `${new URL(page.url()).origin}/sign-in?return=${encodeURIComponent(new URL(page.url()).pathname)}`,
  )
  const send = page.getByRole('button', { name: 'Send' })
  await send.click()
  await expect.poll(() => page.locator('form [data-problem]').textContent()).toContain('signed out')
  // Another session, of which the page has no token yet.
  await signIn(cookies)
  await send.click()
  await expect.poll(prompts).toBe(5)
  await expect.poll(() => page.getByText('You’ve been signed out.').count()).toBe(0)
  expect(await page.getByText('Say mor!e').count()).toBeGreaterThan(0)
})

it('brings comments to the lines of a file that was opened on demand', async () => {
  const file = page.locator('.review-file').first()
  await file.getByRole('button', { name: 'Mark as viewed' }).click()
  await file
    .getByRole('button', { name: 'Viewed', exact: false })
    .and(page.locator('[aria-pressed=true]'))
    .waitFor()
  // It comes folded and without its lines, which are fetched when it is unfolded.
  await page.reload()
  await file.locator('summary').first().click()
  await file.locator('.review-pair').first().waitFor()
  const path = (await file.getAttribute('data-path')) ?? ''
  const [changed] = await file.locator('.review-pair:not(.same) .new').all()
  const line = Number(await changed?.getAttribute('data-line'))
  const comments = `/v2/agent/${project}/job/${job}/comments`
  const made = await server.request('POST', comments, { key, body: { path, line, body: 'Is this right?' } })
  expect(made.status).toBe(201)
  await expect.poll(() => file.locator('.remark').count()).toBe(1)
})
