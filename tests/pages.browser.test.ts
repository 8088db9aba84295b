import axe from 'axe-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from './browser.ts'
import { startServer, type TestServer } from './server.ts'

let server: TestServer
let browser: Browser
let page: Page
/** What the browser complained about, with the page that it was on. */
const complaints: string[] = []
/** What the server sent of each page that was walked. */
const sent = new Map<string, string>()

const narrow = { name: '360-dark', colorScheme: 'dark', viewport: { width: 360, height: 800 } } as const
const middle = { name: '768-light', colorScheme: 'light', viewport: { width: 768, height: 900 } } as const
const wide = { name: '1440-light', colorScheme: 'light', viewport: { width: 1440, height: 900 } } as const

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), openBrowser()])
  page = await browser.newPage()
  page.on('console', (message) => {
    const isAsked = isGone(page.url()) && message.text().includes('status of 404')
    if ((message.type() === 'error' && !isAsked) || message.type() === 'warning')
      complaints.push(`${page.url()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`))
  await page.goto(server.welcome.signInLink)
  await page.getByRole('button', { name: /sign in/i }).click()
  await page.getByRole('heading', { name: 'Projects' }).waitFor()
  const asked = await server.request('POST', '/discovery/v2/assistant/docwright/message', {
    key: server.welcome.assistantKey,
    body: {
      fp: 'ann',
      messages: [
        { role: 'user', parts: [{ type: 'text', text: '<img src=x onerror=alert(1)> [x](javascript:a)?' }] },
      ],
    },
  })
  await asked.text()
  await server.request('POST', `/v2/agent/${server.welcome.projectId}/webhooks`, {
    key: server.welcome.adminKey,
    body: { url: 'https://receiver.example/hooks' },
  })
  for (const prompt of [
    '# <script>console.error(1)</script> [x](javascript:a) ' + 'long'.repeat(60),
    'Replace "Docwright" with "Docwright server" in the quickstart page',
  ]) {
    await page.goto(`${server.url}/projects/docwright/jobs`)
    await page.getByLabel('What do you want to change?').fill(prompt)
    await page.getByRole('button', { name: 'Start job' }).click()
    await page.waitForURL(/\/jobs\/job_/)
  }
  await page.locator('.badge', { hasText: 'Open' }).first().waitFor()
  const job = page.url().split('/').at(-1)
  const commented = await server.request(
    'POST',
    `/v2/agent/${server.welcome.projectId}/job/${job}/comments`,
    {
      key: server.welcome.adminKey,
      body: {
        path: 'quickstart.mdx',
        line: 10,
        body: `<script>console.error(1)</script> ${'long'.repeat(60)}`,
      },
    },
  )
  expect(commented.status).toBe(201)
})
afterAll(async () => {
  await browser.close()
  await server[Symbol.asyncDispose]()
})

/** Pages that no link leads to, and those that say that there is nothing. */
const unlinked = ['/people', '/audit', '/server', '/account', '/find?query=webhook', '/sign-in']
const gone = ['/join?token=none', '/new-password?token=none', '/projects/docwright/none', '/none']
const isGone = (address: string): boolean => gone.some((path) => address === `${server.url}${path}`)

/** Pages that differ only in what they show have one kind, and one of each kind is walked. */
const kindOf = (address: string): string => {
  const { pathname } = new URL(address)
  return pathname
    .replace(/^\/docs\/([^/]+)\/.+/, '/docs/$1/:page')
    .replace(/^\/reference\/.+/, '/reference/:operation')
    .replace(/\b[a-z]+_[0-9A-Za-z]{8,}/g, ':id')
    .replace(/\/(gaps|conversations)\/.+/, '/$1/:id')
    .replace(/\/\d+(?=\/|$)/g, '/:number')
}

const linksOf = (html: Page): Promise<string[]> =>
  html.locator('a[href]:not([download])').evaluateAll((links) => links.map((link) => String(link['href'])))

/** Pages that describe or show the API, and the command to run on the server. */
const isReference = (address: string): boolean =>
  /^\/(?:reference|docs|add-project|projects\/[^/]+\/keys)(?:\/|$)/.test(new URL(address).pathname)

/** What a page shows of how the server is set up, and of the API. */
const machineWords = async (): Promise<string[]> => {
  const text = await page.locator('body').innerText()
  return [server.dataFolder, '/v1/', '/v2/', '/discovery/'].filter((word) => text.includes(word))
}

/** Of a list as long as that of the API's operations, the first parts stand for all, once their widths are known. */
const shorten = "document.querySelectorAll('section:nth-of-type(n + 13)').forEach((part) => part.remove())"

/** Headings, forms, and forms that have a button. */
const countParts = `(html) => {
  const page = new DOMParser().parseFromString(html, 'text/html')
  const able = 'form:has(button:not([type=button]), input[type=submit])'
  return ['h1', 'form', able].map((one) => page.querySelectorAll(one).length)
}`

async function show({ colorScheme, viewport }: typeof narrow | typeof middle | typeof wide): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.setViewportSize(viewport)
}

async function lookAt(address: string): Promise<void> {
  for (const screen of [narrow, middle, wide]) {
    await show(screen)
    const folder = process.env['DOCWRIGHT_SCREENSHOTS']
    if (folder !== undefined)
      await page.screenshot({
        path: `${folder}/${kindOf(address).replaceAll(/[/:]+/g, '-')}.${screen.name}.png`,
        fullPage: false,
      })
    const wider = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    expect.soft(wider, `${address} is wider than ${screen.name}`).toBeLessThanOrEqual(0)
  }
  await page.evaluate(shorten)
  for (const screen of [wide, middle, narrow]) {
    await show(screen)
    const found = await page.evaluate(
      `axe.run({ resultTypes: ['violations'], preload: false }).then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))`,
    )
    expect.soft(found, `${address} at ${screen.name}`).toEqual([])
  }
}

it('finds every page that links lead to readable, wide and narrow, light and dark', async () => {
  const seen = new Set<string>()
  const waiting = [`${server.url}/`, ...[...unlinked, ...gone].map((path) => `${server.url}${path}`)]
  for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
    if (!address.startsWith(`${server.url}/`) || seen.has(kindOf(address))) continue
    seen.add(kindOf(address))
    let response
    try {
      response = await page.goto(address)
    } catch {
      // The browser leaves a page alone that it saves as a file.
      continue
    }
    if (!response?.headers()['content-type']?.startsWith('text/html')) continue
    expect.soft(response.status(), address).toBe(isGone(address) ? 404 : 200)
    expect.soft(await page.title(), address).not.toBe('')
    expect.soft(await page.locator('h1').count(), `headings of ${address}`).toBe(1)
    waiting.push(...(await linksOf(page)))
    await page.evaluate(axe.source)
    if (!isReference(address)) expect.soft(await machineWords(), address).toEqual([])
    await lookAt(address)
    sent.set(address, await response.text())
  }
  expect(sent.size).toBeGreaterThan(20)
  expect(complaints).toEqual([])
})

it('has the same headings without scripts, and a button in every form', async () => {
  // What the server sent, read as by a browser that runs no scripts.
  const plain = await browser.newPage()
  for (const [address, html] of sent) {
    const [headings, forms, able] = await plain.evaluate<number[]>(`(${countParts})(${JSON.stringify(html)})`)
    expect.soft(headings, address).toBe(1)
    expect.soft(able, `forms of ${address}`).toBe(forms)
  }
  expect([...sent.values()].filter((html) => html.includes('<form')).length).toBeGreaterThan(20)
})
