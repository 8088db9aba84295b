import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBrowser } from './browser.ts'
import { startBelowPath, type ServerBelowPath } from './path-proxy.ts'
import { serveWidgetSite } from './widget-site.ts'

let world: ServerBelowPath
let browser: Browser
let page: Page
let base = ''
const complaints: string[] = []
/** Requests that were not for the proxy. */
const elsewhere: string[] = []

beforeAll(async () => {
  ;[world, browser] = await Promise.all([startBelowPath(), openBrowser()])
  base = world.server.url
  page = await newPage()
})
afterAll(async () => {
  await browser.close()
  await world[Symbol.asyncDispose]()
})

async function newPage(): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const opened = await context.newPage()
  opened.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  opened.on('pageerror', (error) => complaints.push(error.message))
  opened.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(base).origin) elsewhere.push(request.url())
  })
  const session = await context.newCDPSession(opened)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return opened
}

const shot = async (name: string): Promise<void> => {
  const folder = process.env['DOCWRIGHT_SCREENSHOTS']
  if (folder !== undefined) await page.screenshot({ path: `${folder}/path-${name}.png`, fullPage: true })
}

const signOut = async (): Promise<void> => {
  await page.locator('.menu summary').click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(`${base}/sign-in`)
}

it('takes a person from the first link to a merged pull request behind a proxy that strips the path', async () => {
  world.kind = 'strips'
  await page.goto(world.server.welcome.signInLink)
  await page.getByLabel('Name').fill('Ada Lovelace')
  await page.getByLabel('Email').fill('ada@example.com')
  await page.getByLabel('Password').fill('correct horse battery')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL(`${base}/projects`)
  await shot('projects')
  await page.goto(`${base}/account`)
  await page.getByLabel('Name', { exact: true }).nth(1).fill('Laptop')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.waitForURL(/done=passkey/)
  await page.goto(`${base}/projects`)
  await page.getByRole('button', { name: 'Start the first job' }).click()
  await page.waitForURL(/\/docwright\/projects\/docwright\/jobs\/job_/)
  // The page is not loaded again: its event stream says that it has changed, and it is morphed.
  await page.evaluate('document.documentElement.isSamePage = true')
  await page.locator('.badge', { hasText: 'Open' }).first().waitFor()
  expect(await page.evaluate('document.documentElement.isSamePage')).toBe(true)
  await page.locator('#review .review-block').first().waitFor()
  await shot('job')
  await page.locator('#review').getByRole('link', { name: 'Source', exact: true }).first().click()
  await page.waitForURL(/view=source/)
  await page.locator('#review tr.added').first().waitFor()
  await page.getByRole('link', { name: '#1' }).first().click()
  await page.waitForURL(/\/docwright\/projects\/docwright\/pulls\/1/)
  await page.getByRole('button', { name: /merge/i }).click()
  await page.locator('dialog.dialog .confirm').click()
  await page.getByText('merged').first().waitFor()
  await shot('merged')
  expect([complaints, elsewhere, world.outside]).toEqual([[], [], []])
})

it.each(['strips', 'keeps'] as const)(
  'finds, plays and signs in behind a proxy that %s the path',
  async (kind) => {
    world.kind = kind
    await page.goto(`${base}/projects/docwright`)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('limits')
    await page.getByRole('option', { name: /Limits and budget/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`${base}/projects/docwright/settings/limits`)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('sync')
    await page.getByRole('option', { name: /sync/i }).first().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(`^${base}/projects/docwright\\?done=sync`))

    await page.goto(`${base}/projects/docwright/assistant/playground`)
    await page.getByLabel('Question').fill('How do I verify webhook signatures?')
    await page.getByRole('button', { name: 'Ask' }).click()
    const answer = page.locator('[data-answer]')
    await answer.waitFor()
    await answer.locator('a[href^="/docwright/docs/"], a[href^="http"]').first().click()
    await page.waitForURL(new RegExp(`^${base}/docs/docwright/`))

    await page.goto(`${base}/projects`)
    await signOut()
    await page.goto(`${base}/projects/docwright/jobs`)
    await page.waitForURL(`${base}/sign-in`)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.waitForURL(`${base}/projects/docwright/jobs`)
    expect([complaints, elsewhere, world.outside]).toEqual([[], [], []])
  },
)

it.each(['strips', 'keeps'] as const)(
  'reads and asks beside the documentation behind a proxy that %s the path',
  async (kind) => {
    world.kind = kind
    await page.goto(`${base}/docs/docwright/`)
    await page.locator('nav a', { hasText: 'Quickstart' }).first().click()
    await page.waitForURL(`${base}/docs/docwright/quickstart`)
    await page.locator('article a[href^="/docwright/docs/docwright/"]').first().waitFor()
    await ask('How do I make a key?')
    await shot(`docs-${kind}`)
    const source = page.locator('docwright-assistant a[href*="/docs/docwright/"]').first()
    expect(await source.getAttribute('href')).toMatch(new RegExp(`^${base}/docs/docwright/`))
    await page.reload()
    // The tab keeps the conversation, but not for whoever signs in there next.
    await page.locator('docwright-assistant .actions').first().waitFor()
    await page.goto(`${base}/projects`)
    await signOut()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.waitForURL(`${base}/projects`)
    await page.goto(`${base}/docs/docwright/quickstart`)
    await page.locator('docwright-assistant .launcher').click()
    expect(await page.locator('docwright-assistant .actions').count()).toBe(0)
    // The tab keeps it open.
    await page.locator('docwright-assistant .composer textarea').press('Escape')

    await page.goto(`${base}/reference`)
    // Not opened: Chromium reports that its own view of JSON has no transition.
    const description = await page.getByRole('link', { name: 'OpenAPI 3.1' }).getAttribute('href')
    expect(description).toBe('/docwright/openapi.json')
    expect((await page.request.get(`${new URL(base).origin}${description}`)).status()).toBe(200)
    expect([complaints, elsewhere, world.outside]).toEqual([[], [], []])
  },
)

it('answers on another site, whose policy allows nothing but the widget', async () => {
  const { domain, assistantKey } = world.server.welcome
  world.kind = 'keeps'
  await using site = await serveWidgetSite(base, { domain, key: assistantKey })
  page = await newPage()
  await page.goto(site.url)
  await ask('How do I make a key?')
  expect(elsewhere.filter((url) => !url.startsWith(site.url))).toEqual([])
  expect([complaints, world.outside]).toEqual([[], []])
})

async function ask(question: string): Promise<void> {
  const launcher = page.locator('docwright-assistant .launcher')
  await launcher.click()
  const field = page.locator('docwright-assistant .composer textarea')
  await field.fill(question)
  await field.press('Enter')
  await page.locator('docwright-assistant .actions').last().waitFor()
}
