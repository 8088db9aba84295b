import axe from 'axe-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from './browser.ts'
import { startServer, type TestServer } from './server.ts'

let server: TestServer
let browser: Browser
let page: Page
const complaints: string[] = []
const base = (): string => `${server.url}/projects/docwright/assistant`

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), openBrowser()])
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(server.welcome.signInLink)
  await page.getByRole('button', { name: /sign in/i }).click()
  await page.getByRole('heading', { name: 'Projects' }).waitFor()
  const ask = (text: string) =>
    server.request('POST', '/discovery/v2/assistant/docwright/message', {
      key: server.welcome.assistantKey,
      body: { fp: 'ann', messages: [{ role: 'user', parts: [{ type: 'text', text }] }] },
    })
  for (const text of ['How do I verify webhook signatures?', 'How do I set up SAML?', 'Is there SAML?'])
    await (await ask(text)).text()
})
afterAll(async () => {
  await browser.close()
  await server[Symbol.asyncDispose]()
})

it('answers in the playground as the text comes, and goes on from there', async () => {
  await page.goto(`${base()}/playground`)
  await page.getByLabel('Question').fill('How do I verify webhook signatures?')
  await page.getByRole('button', { name: 'Ask' }).click()
  const answer = page.locator('[data-answer]')
  await answer.waitFor()
  expect(await answer.textContent()).toContain('What was searched')
  expect(await page.locator('.sections li').count()).toBeGreaterThan(3)
  await page.getByLabel('Follow-up').fill('And on Windows?')
  await page.getByRole('button', { name: 'Ask' }).click()
  await page.getByText('1 question before').waitFor()
  expect(await page.locator('.lookup').first().textContent()).toContain('words of those before')
})

it('answers without scripts too', async () => {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
  })
  const plain = await context.newPage()
  await plain.goto(`${base()}/playground?question=What%20is%20a%20job%3F`)
  await plain.getByRole('button', { name: 'Ask' }).click()
  expect(await plain.locator('[data-answer]').textContent()).toContain('What was in the index')
})

it('shows what was asked on pages in which axe finds nothing', async () => {
  const context = await browser.newContext({
    // Only for the script of axe; the pages were loaded under the policy above.
    bypassCSP: true,
    storageState: await page.context().storageState(),
    viewport: { width: 360, height: 800 },
  })
  const small = await context.newPage()
  await small.goto(`${base()}/gaps`)
  const gap = small.getByRole('link', { name: /saml/i }).first()
  await expect.poll(async () => (await small.reload()) && gap.isVisible(), { interval: 1000 }).toBe(true)
  const paths = ['', '/playground', '/conversations', '/gaps', '/searches', '/use']
  const opened = [
    await gap.getAttribute('href'),
    await (async () => {
      await small.goto(`${base()}/conversations?text=saml`)
      return small.locator('td a').first().getAttribute('href')
    })(),
  ]
  for (const address of [
    ...paths.map((path) => `${base()}${path}`),
    ...opened.map((path) => `${server.url}${path}`),
  ]) {
    await small.goto(address)
    await small.evaluate(axe.source)
    const found = await small.evaluate(
      `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))`,
    )
    expect([address, found]).toEqual([address, []])
    const wider = await small.evaluate('document.documentElement.scrollWidth - innerWidth')
    expect([address, wider]).toEqual([address, 0])
  }
  expect(complaints).toEqual([])
})
