import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBrowser } from './browser.ts'
import { runCommand, startServer, type TestServer } from './server.ts'

let server: TestServer
let browser: Browser
const complaints: string[] = []

beforeAll(async () => {
  const port = await freePort()
  // Browsers keep passkeys for names, not for addresses.
  const environment = { DOCWRIGHT_PUBLIC_URL: `http://localhost:${port}` }
  const started = startServer({ environment, arguments: ['--port', String(port)] })
  ;[server, browser] = await Promise.all([started, openBrowser()])
})
afterAll(async () => {
  await browser.close()
  await server[Symbol.asyncDispose]()
})

it('takes an owner and an invited viewer through passwords, passkeys and roles', async () => {
  const ada = await newPage()
  await ada.goto(server.welcome.signInLink)
  await ada.getByLabel('Name').fill('Ada Lovelace')
  await ada.getByLabel('Email').fill('ada@example.com')
  await ada.getByLabel('Password').fill('correct horse battery')
  await ada.getByRole('button', { name: 'Create account' }).click()
  await ada.goto(`${server.url}/account`)
  await ada.getByLabel('Name', { exact: true }).nth(1).fill('Laptop')
  await ada.getByRole('button', { name: 'Add a passkey' }).click()
  await ada.waitForURL(/done=passkey/)
  await signOut(ada)
  await ada.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await ada.waitForURL(`${server.url}/projects`)

  await ada.goto(`${server.url}/people`)
  await ada.locator('input[value=viewer]').check()
  await ada.getByRole('button', { name: 'Create invitation link' }).click()
  const link = (await ada.locator('.secret code').textContent()) ?? ''
  // In the same page: this browser mixes up the cookies of two.
  await ada.context().clearCookies()
  const grace = ada
  await grace.goto(link)
  await grace.getByLabel('Name').fill('Grace Hopper')
  await grace.getByLabel('Email').fill('grace@example.com')
  await grace.getByRole('button', { name: 'Use a passkey instead' }).click()
  await grace.waitForURL(/account\?passkey=new/)
  await grace.getByRole('button', { name: 'Add a passkey' }).click()
  await grace.waitForURL(/done=passkey/)
  await grace.goto(`${server.url}/projects/docwright`)
  expect(await grace.getByRole('link', { name: 'Settings' }).count()).toBe(0)
  const { stdout: log } = await runCommand(server.dataFolder, 'audit')
  for (const text of ['became the first owner', 'signed in with a passkey', 'accepted an invitation'])
    expect(log).toContain(text)
  expect(complaints).toEqual([])
})

async function newPage(): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  const session = await context.newCDPSession(page)
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
  return page
}

async function signOut(page: Page): Promise<void> {
  await page.locator('.menu summary').click()
  await page.getByRole('button', { name: 'Sign out' }).click()
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
