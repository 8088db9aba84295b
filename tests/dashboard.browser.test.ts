import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from './browser.ts'
import { startServer, type TestServer } from './server.ts'

let server: TestServer
let browser: Browser
let page: Page
/** What the browser itself complained about: blocked by the content security policy, failed to load, thrown. */
const complaints: string[] = []

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), openBrowser()])
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
})
afterAll(async () => {
  await browser.close()
  await server[Symbol.asyncDispose]()
})

const shot = async (name: string): Promise<void> => {
  const folder = process.env['DOCWRIGHT_SCREENSHOTS']
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

it('takes a person from the sign-in link to a merged pull request', async () => {
  await page.goto(server.welcome.signInLink)
  await shot('sign-in')
  await page.getByRole('button', { name: /sign in/i }).click()
  await page.getByRole('link', { name: 'docwright', exact: true }).first().click()
  await expect.poll(() => page.url()).toBe(`${server.url}/projects/docwright`)
  expect(await page.content()).toContain('Recent jobs')
  await shot('project')

  await page.goto(`${server.url}/projects/docwright/jobs`)
  await page
    .locator('textarea')
    .first()
    .fill('Replace "Docwright" with "Docwright server" in the quickstart page')
  await shot('jobs')
  await page
    .getByRole('button', { name: /start|create/i })
    .first()
    .click()
  await page.waitForURL(/\/jobs\/job_/)
  await expect.poll(() => page.locator('.badge', { hasText: 'Open' }).first().isVisible()).toBe(true)
  await page.goto(page.url())
  const review = page.locator('#review')
  await expect.poll(() => review.locator('.review-block ins').first().textContent()).toBe('server')
  await shot('job')
  await review.getByRole('link', { name: 'Source', exact: true }).first().click()
  await page.waitForURL(/view=source/)
  await expect.poll(() => review.locator('tr.added ins').first().textContent()).toBe('server')
  const lines = await review.locator('tr[data-line]').count()
  await review
    .getByRole('link', { name: /unchanged lines/ })
    .first()
    .click()
  await expect.poll(() => review.locator('tr[data-line]').count()).toBeGreaterThan(lines)
  await shot('job-source')
  await page.getByRole('link', { name: '#1' }).first().click()
  await expect.poll(() => review.locator('tr.added ins').first().textContent()).toBe('server')
  await review.getByRole('link', { name: 'Pages', exact: true }).click()
  await page.waitForURL(/view=rendered/)
  expect(await page.content()).toContain('Docwright server')
  await shot('pull')
  page.once('dialog', (dialog) => void dialog.accept())
  await page.getByRole('button', { name: /merge/i }).click()
  await expect.poll(() => page.getByText('merged').first().isVisible()).toBe(true)
  await shot('merged')

  // The index follows the merge.
  await expect
    .poll(async () => (await page.goto(`${server.url}/docs/docwright/quickstart`)) && page.content(), {
      timeout: 120_000,
    })
    .toContain('Docwright server')
  await shot('docs')
})

it('makes a key that works and shows it once', async () => {
  await page.goto(`${server.url}/projects/docwright/keys`)
  await shot('keys')
  await page.getByText('Create an assistant key').click()
  await page
    .locator('form', { has: page.locator('input[value=assistant]') })
    .getByRole('button', { name: 'Create key' })
    .click()
  await page.waitForLoadState()
  const key = /svc_dsc_[0-9A-Za-z]{43,}/.exec(await page.content())?.[0] ?? ''
  await shot('key-made')
  const used = await server.request('POST', '/discovery/v1/search/docwright', {
    key,
    body: { query: 'keys' },
  })
  expect(used.status).toBe(200)
  await page.goto(`${server.url}/projects/docwright/keys`)
  expect(await page.content()).not.toContain(key)
})

it('keeps what was typed into a form that is refused, also without a session', async () => {
  await page.goto(`${server.url}/projects/docwright/jobs`)
  await page.getByText('Options').click()
  const [prompt, base] = [
    page.getByLabel('What do you want to change?'),
    page.getByLabel('Branch to start from'),
  ]
  const send = () => page.getByRole('button', { name: 'Start job' }).click()
  await prompt.fill('  ')
  await base.fill('main')
  await send()
  const problem = page.locator('form [data-problem]')
  await expect.poll(() => problem.textContent()).toContain('must be a string of 1 to 100,000 characters')
  expect(await base.inputValue()).toBe('main')
  await prompt.fill('Fix broken links')
  const cookies = await page.context().cookies()
  await page.context().clearCookies()
  await send()
  await expect.poll(() => problem.textContent()).toContain('You’ve been signed out')
  expect(await prompt.inputValue()).toBe('Fix broken links')
  await page.context().addCookies(cookies)
  await send()
  await expect.poll(() => page.url()).toMatch(/\/jobs\/job_/)
  // The browser reports every refused request.
  complaints.length = 0
})

it('gives the browser nothing to complain about', () => {
  expect(complaints).toEqual([])
})

it('keeps people without a session out, but for the unguessable link of a pull request', async () => {
  const stranger = await browser.newPage()
  for (const path of [
    '/',
    '/projects/docwright',
    '/projects/docwright/keys',
    '/projects/docwright/pulls/1',
    '/projects/docwright/pulls/1?token=wrong',
  ]) {
    await stranger.goto(`${server.url}${path}`)
    expect(await stranger.content(), path).toContain('sign-in')
  }
  await stranger.close()
})
