import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
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
    // Refused forms are answered with 400.
    if (message.type() === 'error' && !message.text().includes('status of 400'))
      complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
})
afterAll(async () => {
  await browser.close()
  await server[Symbol.asyncDispose]()
})

/** What axe finds on the page as it is. */
async function violations(): Promise<unknown> {
  const tools = await page.context().newCDPSession(page)
  // Evaluated by the browser’s own tools, as the pages allow no script but their own.
  await tools.send('Runtime.evaluate', { expression: axe.source })
  const { result } = await tools.send('Runtime.evaluate', {
    expression:
      'axe.run().then(({ violations }) => JSON.stringify(violations.map(({ id, nodes }) => [id, nodes[0].html])))',
    awaitPromise: true,
    returnByValue: true,
  })
  return JSON.parse(String(result.value))
}

it('takes somebody who is new by one click to a job that ends in a pull request', async () => {
  await page.goto(server.welcome.signInLink)
  await page.getByRole('button', { name: /sign in/i }).click()
  await page.getByRole('button', { name: 'Start the first job' }).click()
  await page.waitForURL(/\/jobs\/job_/)
  await expect.poll(() => page.getByRole('link', { name: '#1' }).first().isVisible()).toBe(true)
  await page.goto(`${server.url}/projects`)
  await page.getByRole('link', { name: 'Open the pull request' }).click()
  expect(new URL(page.url()).pathname).toBe('/projects/docwright/pulls/1')
})

it('finds a page, a setting and an action in the palette with the keyboard alone', async () => {
  await page.goto(`${server.url}/projects/docwright`)
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox')
  await page.keyboard.type('quickst')
  const option = page.getByRole('option', { name: /^Quickstart/ })
  await expect.poll(() => option.getAttribute('aria-selected')).toBe('true')
  expect(await field.getAttribute('aria-activedescendant')).toBe(await option.getAttribute('id'))
  expect(await violations()).toEqual([])
  await page.keyboard.press('Escape')
  expect(await field.isVisible()).toBe(false)
  expect(await page.evaluate('document.activeElement?.tagName')).toBe('BODY')

  await page.keyboard.press('Control+k')
  await page.keyboard.type('limits')
  await expect.poll(() => page.getByRole('option', { name: /Limits and budget/ }).count()).toBe(1)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/projects/docwright/settings/limits')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('sync now')
  await page.keyboard.press('Enter')
  await page.waitForURL(/done=sync/)
})

it('keeps what was typed into a refused group of settings, and says when it is saved', async () => {
  await page.goto(`${server.url}/projects/docwright/settings/limits`)
  await page.getByLabel('USD').fill('much')
  await page.getByLabel('Model calls').fill('7')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => page.locator('form [data-problem]').textContent()).toContain('“USD” must be over 0')
  expect(await page.getByLabel('Model calls').inputValue()).toBe('7')
  await page.getByLabel('USD').fill('2')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL(/done=settings/)
  expect(await page.getByRole('status').first().textContent()).toContain('saved')
  expect(await page.getByLabel('Model calls').inputValue()).toBe('7')
  await page.goto(`${server.url}/projects/docwright/settings/agent`)
  await page.getByRole('button', { name: 'Test' }).click()
  await expect.poll(() => page.getByText('It works.').isVisible()).toBe(true)
})

it('keeps the token in the form when an address is checked', async () => {
  await page.goto(`${server.url}/add-project`)
  await page.getByLabel('Repository URL').fill('https://docs.invalid/acme/handbook')
  await page.getByLabel('Access token').fill('never-shown')
  await page.getByRole('button', { name: 'Test connection' }).click()
  await expect.poll(() => page.locator('#check-result .failure').count()).toBe(1)
  expect(await page.getByLabel('Access token').inputValue()).toBe('never-shown')
})

it('shows pages in which axe finds nothing and that fit a narrow screen', async () => {
  await page.setViewportSize({ width: 360, height: 800 })
  const project = '/projects/docwright'
  await page.goto(`${server.url}${project}/problems`)
  await expect
    .poll(() =>
      page
        .getByText(/No problems found|\d problems?$/)
        .first()
        .isVisible(),
    )
    .toBe(true)
  // Other pages are walked by tests/pages.browser.test.ts, which does not check the site.
  for (const path of [project, `${project}/problems`]) {
    await page.goto(`${server.url}${path}`)
    expect([path, await violations()]).toEqual([path, []])
    expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, 360])
  }
  expect(complaints).toEqual([])
})
