import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBrowser } from './browser.ts'
import { startModelMock, type ModelMock } from './model-mock.ts'
import { startServer, type TestServer } from './server.ts'
import { serveWidgetSite, type WidgetSite } from './widget-site.ts'

/** The widget on a site of another origin, whose policy allows nothing but the widget. */
let model: ModelMock
let server: TestServer
let site: WidgetSite
let browser: Browser
/** What browsers complained about. */
const complaints: string[] = []

const filler = Array.from({ length: 40 }, (_, n) => `word${n}.`).join(' ')
const answer =
  (): string => `You make a key on the **API keys** page. See [Manage keys](${server.url}/docs/docwright/guides/manage-keys).

<img src=x onerror="document.title='owned'"> [bad](javascript:document.title='owned')

\`\`\`bash
docwright key create # once
\`\`\`

| Kind | Place |
| --- | --- |
| admin | servers |

${filler}`

beforeAll(async () => {
  model = await startModelMock(() => Promise.resolve(answer()), { chunkSize: 12, latency: 25 })
  ;[server, browser] = await Promise.all([startServer({ environment: model.environment }), openBrowser()])
  site = await serveWidgetSite(server.url, { domain: 'docwright', key: server.welcome.assistantKey })
})
afterAll(async () => {
  await browser?.close()
  await site?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
  await model?.[Symbol.asyncDispose]()
})

/** Pages stay open: this browser is one process, which may end with one of them. */
async function visit(path: string, options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1200, height: 850 }, ...options })
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(`${site.url}${path}`)
  return page
}

const field = (page: Page) => page.locator('docwright-assistant .composer textarea')
const launcher = (page: Page) => page.locator('docwright-assistant .launcher')

async function ask(page: Page, question: string): Promise<void> {
  await field(page).fill(question)
  await field(page).press('Enter')
}

async function ended(page: Page): Promise<void> {
  await expect.poll(() => page.locator('.actions').last().isVisible()).toBe(true)
}

it('is small, and any site may load it', async () => {
  const response = await server.request('GET', '/widget.js', { headers: { 'accept-encoding': 'br' } })
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  expect(response.headers.get('content-encoding')).toBe('br')
  expect(response.headers.get('cache-control')).toMatch(/max-age=600/)
  for (const name of ['widget.js', 'widget.mjs']) {
    const code = await (await server.request('GET', `/${name}`)).text()
    expect(gzipSync(code).length).toBeLessThan(40_000)
  }
  const etag = response.headers.get('etag') ?? ''
  const again = await server.request('GET', '/widget.js', { headers: { 'if-none-match': etag } })
  expect(again.status).toBe(304)
  const hash = /[0-9a-f]{12}/.exec(etag)?.[0]
  const kept = await server.request('GET', `/widget.js?v=${hash}`)
  expect(kept.headers.get('cache-control')).toMatch(/immutable/)
})

it('answers under a strict policy with citations, and takes what readers think of it', async () => {
  const page = await visit('/', { permissions: ['clipboard-read', 'clipboard-write'] })
  await page.evaluate(
    "window.seen = []; for (const name of ['asked', 'answered', 'feedback', 'closed']) docwright.push(['on', name, (detail) => seen.push([name, detail])])",
  )
  await launcher(page).click()
  expect(await page.title()).toBe('opened')
  await expect.poll(() => page.locator('.empty .chip').count()).toBeGreaterThan(0)
  // Nothing of what is pasted is lost, and nothing is sent that would not be read whole.
  await ask(page, 'Line of a log. '.repeat(2000))
  expect(await page.locator('.composer .said').textContent()).toContain('9999 characters too long')
  expect(await page.locator('.exchange').count()).toBe(0)
  await ask(page, 'How do I create a key?')
  expect(await page.locator('.composer .said').isVisible()).toBe(false)
  await page.locator('.send[aria-label=Stop]').waitFor()
  await ended(page)
  const text = (await page.locator('.markdown').textContent()) ?? ''
  expect(text).toContain('word39.')
  expect(text).toContain('onerror=')
  expect(await page.locator('.markdown img').count()).toBe(0)
  expect(await page.locator('a[href^="javascript"]').count()).toBe(0)
  expect(await page.locator('.code .comment').textContent()).toBe('# once')
  const cited = page.locator('.sources a')
  expect(await cited.getAttribute('href')).toContain('/docs/docwright/guides/manage-keys')
  expect(await cited.getAttribute('rel')).toBe('noopener noreferrer')
  expect(await page.locator('.markdown sup').textContent()).toBe('1')
  // Screen readers hear the answer once, when it is there, as it is seen.
  const said = page.locator('[aria-live=polite]')
  await expect.poll(() => said.textContent()).toContain('You make a key')
  expect(await said.textContent()).not.toContain('```')

  await page.locator('.code').hover()
  await page.locator('.code .copy').click()
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe('docwright key create # once')

  await page.getByRole('button', { name: 'Not helpful' }).click()
  await page.getByLabel('Outdated').check()
  await page.locator('.why textarea').fill('Renamed in 2.0')
  await page.locator('.why button').click()
  await expect.poll(() => page.locator('.thumbs .said').textContent()).toBe('Thanks for your feedback.')
  const { threads } = (await (
    await server.request('GET', `/v2/insights/${server.welcome.projectId}/threads?caller=widget`, {
      key: server.welcome.adminKey,
    })
  ).json()) as { threads: { id: string; feedback: unknown; lastQuestion: string }[] }
  expect(threads).toMatchObject([{ lastQuestion: 'How do I create a key?', feedback: { up: 0, down: 1 } }])

  await field(page).press('Escape')
  await expect.poll(() => page.evaluate('document.activeElement?.tagName')).toBe('DOCWRIGHT-ASSISTANT')
  const seen = await page.evaluate('seen')
  expect(seen).toMatchObject([
    ['asked', { question: 'How do I create a key?' }],
    ['answered', { outcome: 'answered', threadId: threads[0]?.id }],
    ['feedback', { rating: 'down' }],
    ['feedback', { rating: 'down', reason: 'outdated' }],
    ['closed', {}],
  ])
  expect(await page.title()).toBe('opened')
})

it('goes on with an answer on the next page, and keeps the conversation of the tab', async () => {
  const page = await visit('/')
  await page.keyboard.press('Control+i')
  await ask(page, 'How do I create a key, again?')
  await expect.poll(() => page.locator('.markdown').textContent()).toContain('word3.')
  await page.getByRole('link', { name: 'Other page' }).click()
  await page.waitForURL('**/other')
  await ended(page)
  const text = (await page.locator('.markdown').textContent()) ?? ''
  expect(text.match(/word3\./g)).toHaveLength(1)
  expect(text).toContain('word39.')
  await page.reload()
  await expect.poll(() => page.locator('.markdown').textContent()).toContain('word39.')
  await page.getByRole('button', { name: 'New chat' }).click()
  await expect.poll(() => page.locator('.exchange').count()).toBe(0)
  // Stopping keeps what was said, and offers another try.
  await ask(page, 'Once more?')
  await expect.poll(() => page.locator('.markdown').textContent()).toContain('API keys')
  await page.locator('.send').click()
  await expect.poll(() => page.locator('.trouble').textContent()).toContain('Stopped')
  await page.getByRole('button', { name: 'Try again' }).click()
  await ended(page)
  expect(await page.locator('.exchange').count()).toBe(1)
})

it('asks about what is selected in the page, and tells nothing of its query', async () => {
  const page = await visit('/?token=hunter2#hunter2')
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') asked.push(request.postData() ?? '')
  })
  await page.locator('#intro').selectText()
  await page.getByRole('button', { name: 'Ask about this' }).click()
  expect(await page.locator('.along').textContent()).toContain('Keys are made')
  await ask(page, 'What does this mean?')
  await expect.poll(() => asked.length).toBe(1)
  expect(asked[0]).not.toContain('hunter2')
  expect(JSON.parse(asked[0] ?? '')).toMatchObject({
    currentPath: '/',
    context: [{ type: 'textSelection', value: expect.stringContaining('Keys are made'), path: '/' }],
  })
  // Asked by the page itself.
  await page.evaluate("docwright.ask('And now?')")
  await expect.poll(() => page.locator('.question').last().textContent()).toContain('And now?')
})

it('is accessible, in every language, on a phone and by keyboard alone', async () => {
  const axe = await readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
  for (const [language, scheme] of [
    ['en', 'light'],
    ['ar', 'dark'],
  ] as const) {
    const context = await browser.newContext({
      bypassCSP: true,
      colorScheme: scheme,
      reducedMotion: 'reduce',
      viewport: { width: 360, height: 700 },
    })
    const page = await context.newPage()
    await page.goto(`${site.url}/?lang=${language}`)
    await launcher(page).focus()
    await page.keyboard.press('Enter')
    expect(await page.locator('.root').getAttribute('dir')).toBe(language === 'ar' ? 'rtl' : 'ltr')
    await ask(page, 'How do I create a key?')
    await ended(page)
    await page.locator('.thumb').last().click()
    await page.locator('.why').waitFor()
    await page.evaluate(axe)
    const found = await page.evaluate(
      'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))',
    )
    expect([language, found]).toEqual([language, []])
    // The page behind is out of reach.
    for (let n = 0; n < 25; n++) {
      await page.keyboard.press('Tab')
      expect(await page.evaluate('document.activeElement?.tagName')).not.toBe('INPUT')
    }
  }
})

it('keeps its looks on a page with hostile styles, and follows the theme of a page', async () => {
  const page = await visit('/hostile')
  expect(await launcher(page).isVisible()).toBe(true)
  expect(
    await page.evaluate(
      `getComputedStyle(document.querySelector('docwright-assistant').shadowRoot.querySelector('.launcher')).fontSize`,
    ),
  ).toBe('15px')
  await page.evaluate(`document.documentElement.setAttribute('data-theme', 'dark')`)
  await expect.poll(() => page.locator('.root').getAttribute('data-scheme')).toBe('dark')
})

it('says what is wrong, and goes on when it is not any more', async () => {
  const page = await visit('/')
  await page.context().setOffline(true)
  await launcher(page).click()
  await ask(page, 'Is anybody there?')
  await expect.poll(() => page.locator('.trouble').textContent()).toContain('Can’t connect')
  await page.context().setOffline(false)
  await ended(page)

  site.attributes = { ...site.attributes, key: `svc_dsc_${'x'.repeat(43)}` }
  const refused = await visit('/')
  await launcher(refused).click()
  await ask(refused, 'Who am I?')
  await expect.poll(() => refused.locator('.trouble').textContent()).toContain('isn’t available on this page')
  expect(await refused.locator('.trouble .detail').textContent()).toContain('revoked')
  site.attributes = { ...site.attributes, key: server.welcome.assistantKey }
})

it('gives people the lines for their site, and answers beside public pages without a key', async () => {
  // In a browser of one process, requests of scripts may carry the cookies of its first context.
  await using own = await openBrowser()
  const page = await own.newPage()
  page.on('console', (message) => complaints.push(message.text()))
  await page.goto(server.welcome.signInLink)
  await page.getByRole('button', { name: /sign in/i }).click()
  await page.goto(`${server.url}/projects/docwright/widget`)
  await page.getByLabel('Site URL').fill('docs.example.com/start')
  await page.getByRole('button', { name: 'Create key' }).click()
  const lines = (await page.locator('pre code').textContent()) ?? ''
  expect(lines).toMatch(/data-domain="docwright"\s+data-key="svc_dsc_\w{40,}"/)
  const keys = (await (await page.request.get(`${server.url}/admin/keys`)).json()) as { origins: string[] }[]
  expect(keys.flatMap(({ origins }) => origins)).toContain('https://docs.example.com')
  await ask(page, 'How do I create a key?')
  await ended(page)

  const openly = `fetch('/discovery/v2/assistant/docwright/message', { method: 'POST', credentials: 'omit',
    body: JSON.stringify({ fp: 'anonymous', messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }] }),
  }).then((response) => response.status)`
  expect(await page.evaluate(openly)).toBe(401)
  await page.getByLabel('Let readers').check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL('**done=settings')
  expect(await page.evaluate(openly)).toBe(200)
  // Programs and other sites are not on a page of this server.
  const body = { fp: 'a', messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }] }
  expect((await server.request('POST', '/discovery/v2/assistant/docwright/message', { body })).status).toBe(
    401,
  )
})

it('makes no browser complain', () => {
  // They tell of every request that fails, as some do above.
  expect(complaints.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([])
})
