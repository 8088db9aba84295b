import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import { createFakeOrigin } from '../worlds/hosts/fake-origin.ts'
import { startFakeGitHub } from '../worlds/hosts/github/github-server.ts'
import type { FakeGitHub } from '../worlds/hosts/github/github-state.ts'
import { openBrowser } from '../browser.ts'
import { startServer, type TestServer } from '../server.ts'

const secrets = { all: 'ghp_all', read: 'ghp_read', wrong: 'ghp_wrong' }

let origin: Awaited<ReturnType<typeof createFakeOrigin>>
let github: FakeGitHub
let server: TestServer
let browser: Browser
let page: Page
/** What the browser itself complained about, but for forms that were refused. */
const complaints: string[] = []
/** All that it was sent. */
const sent: string[] = []

beforeAll(async () => {
  origin = await createFakeOrigin()
  // The server under test pushes over git: nothing is remembered of branches here.
  github = await startFakeGitHub({ ...origin, forget: () => undefined })
  github.tokens.set(secrets.read, {})
  ;[server, browser] = await Promise.all([
    startServer({
      environment: {
        GITHUB_URL: github.server.origin,
        DOCWRIGHT_SYNC_INTERVAL: '3',
        LOG_LEVEL: 'debug',
      },
      arguments: ['--no-demo'],
    }),
    openBrowser(),
  ])
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of (400|409|503)/.test(message.text()))
      complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('response', (response) => {
    void response.text().then(
      (text) => sent.push(text),
      () => undefined,
    )
  })
})
afterAll(async () => {
  await browser.close()
  await server[Symbol.asyncDispose]()
  await github.server[Symbol.asyncDispose]()
  await origin[Symbol.asyncDispose]()
})

const shot = async (name: string): Promise<void> => {
  const folder = process.env['DOCWRIGHT_SCREENSHOTS']
  if (folder === undefined) return
  for (const width of [1280, 390]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png`, fullPage: true })
    }
  }
  await page.setViewportSize({ width: 1280, height: 900 })
}

const sees = async (text: string | RegExp): Promise<void> => {
  await expect.poll(() => page.getByText(text).first().isVisible()).toBe(true)
}

it('adds a project from its address and says what its token lacks', async () => {
  await page.goto(server.welcome.signInLink)
  await page.getByRole('button', { name: /sign in/i }).click()
  await shot('projects')
  await page.getByRole('link', { name: 'Add project' }).first().click()
  await shot('add-project')

  await page.getByLabel('Repository URL').fill('https://127.0.0.1:9/acme/docs')
  await page.getByRole('button', { name: 'Add project' }).click()
  await expect.poll(() => page.getByRole('alert').textContent()).toMatch(/127\.0\.0\.1 is in the server/)
  await page.getByLabel('Repository URL').fill(`${github.server.origin}/acme/docs.git`)
  await page.getByLabel('Access token').fill(secrets.wrong)
  await page.getByRole('button', { name: 'Add project' }).click()
  await expect.poll(() => page.getByRole('alert').textContent()).toMatch(/credential/)
  // The page did not change: what was typed is there.
  expect(await page.getByLabel('Access token').inputValue()).toBe(secrets.wrong)
  await shot('add-project-refused')

  await page.getByLabel('Access token').fill(secrets.read)
  await page.getByRole('button', { name: 'Add project' }).click()
  await expect.poll(() => page.url()).toBe(`${server.url}/projects/docs?done=added`)
  await sees(/The credential is missing/)
  await sees('ready')
  await shot('project')
})

it('takes another token on the settings page, and shows what it may do', async () => {
  await page.goto(`${server.url}/projects/docs/settings/host`)
  await sees('jobs can’t publish')
  await shot('settings-lacking')
  await page.getByText('Replace the access token').click()
  await page.getByLabel('Access token').first().fill(secrets.wrong)
  await page.getByLabel('Git username').first().fill('somebody')
  await page.getByRole('button', { name: 'Test and save' }).first().click()
  await expect.poll(() => page.getByRole('alert').textContent()).toMatch(/credential/)
  expect(await page.getByLabel('Git username').first().inputValue()).toBe('somebody')
  await shot('settings-refused')
  await page.getByLabel('Git username').first().fill('')
  await page.getByLabel('Access token').first().fill(secrets.all)
  await page.getByRole('button', { name: 'Test and save' }).first().click()
  await sees('All required permissions')
  await sees('robot')
  await shot('settings')
})

it('opens pull requests with the labels that were set, and shows who asked for more', async () => {
  await page.goto(`${server.url}/projects/docs/settings/agent`)
  await page.getByLabel('Labels').fill('documentation, by agent')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await sees('Settings saved')
  expect(await page.getByLabel('Labels').inputValue()).toBe('documentation, by agent')

  await page.goto(`${server.url}/projects/docs/jobs`)
  await page.getByLabel('What do you want to change?').fill('Replace "one" with "two" in index.md')
  await page.getByRole('button', { name: 'Start job' }).click()
  await page.waitForURL(/\/jobs\/job_/)
  await page.locator('.badge', { hasText: 'Open' }).first().waitFor()
  expect(github.pulls).toMatchObject([{ number: 1, labels: ['documentation', 'by agent'] }])
  const job = page.url()
  await page.getByRole('link', { name: '#1' }).click()
  await sees('Ready to merge')
  const link = page.getByRole('link', { name: 'Open at GitHub' })
  expect(await link.getAttribute('href')).toMatch(new RegExp(`^${github.server.origin}/`))
  await page.locator('.review-comment').last().click()
  await page.getByLabel('Leave a comment').fill('Hm')
  await page.getByRole('button', { name: 'Add to the review' }).click()
  await sees('One comment was not sent to the agent yet.')
  await shot('hosted-pull')
  await page.goto(job)

  github.say({ pull: 1, body: '@docwright Replace "two" with "three" in index.md' })
  // The page shows by itself what the host told.
  await expect.poll(() => page.content(), { interval: 1000 }).toMatch(/octocat/)
  await sees('open')
  await shot('job')
})

it('merges what the page shows by the host, and shows its words when it refuses', async () => {
  github.merges.styles = ['merge', 'squash']
  github.merges.refusal = 'At least 1 approving review is required by reviewers with write access.'
  const at = `${server.url}/projects/docs/pulls/1`
  await expect
    .poll(
      async () => {
        await page.goto(at)
        return page.getByLabel('How').locator('option').allTextContents()
      },
      { interval: 2000 },
    )
    .toEqual(['With a merge commit', 'Squashed into one commit'])
  const merge = async (): Promise<void> => {
    await page.getByLabel('How').selectOption('squash')
    await page.getByLabel('Merge anyway').check()
    await page.getByRole('button', { name: 'Merge', exact: true }).click()
    await page.locator('dialog.dialog .confirm').click()
  }
  await shot('hosted-pull-merge')
  await merge()
  await expect.poll(() => page.getByRole('alert').textContent()).toMatch(/At least 1 approving review/)
  await shot('hosted-pull-refused')
  github.merges.refusal = undefined
  await page.goto(at)
  await merge()
  await sees('Merged')
  await shot('hosted-pull-merged')
  expect(github.merges.done).toMatchObject([{ number: 1, style: 'squash' }])
})

it('reads another repository besides, and moves to another address after trying it', async () => {
  await page.goto(`${server.url}/projects/docs/settings/agent`)
  await page.getByText('Add a context repository').click()
  await page.getByLabel('how the agent calls it').fill('product')
  await page.getByLabel('Repository URL', { exact: true }).fill('/etc')
  await page.getByRole('button', { name: 'Try and add' }).click()
  await expect.poll(() => page.getByRole('alert').textContent()).toMatch(/adds repositories by URL/)
  await shot('context-refused')
  await page.getByLabel('Repository URL', { exact: true }).fill(`${github.server.origin}/acme/docs`)
  await page.getByRole('button', { name: 'Try and add' }).click()
  await sees('@product')
  await shot('context')

  await page.goto(`${server.url}/projects/docs/settings/host`)
  await page.getByText('Move to another repository').click()
  await page.getByLabel('New repository URL').fill('https://127.0.0.1:9/acme/docs')
  await page.getByRole('button', { name: 'Test and move' }).click()
  await expect.poll(() => page.getByRole('alert').textContent()).toMatch(/127\.0\.0\.1 is in the/)
  await shot('move-refused')
  await page.getByLabel('New repository URL').fill(`${github.server.origin}/acme/docs.git`)
  await page.getByRole('button', { name: 'Test and move' }).click()
  await sees('The project now uses this repository')
  await sees('All required permissions')

  await page.goto(`${server.url}/projects/docs/settings/agent`)
  await page.getByRole('button', { name: 'Remove' }).last().click()
  await page.locator('dialog.dialog .confirm').click()
  await sees('Context repository removed')
})

it('forgets a credential', async () => {
  await page.goto(`${server.url}/projects/docs/settings/host`)
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.locator('dialog.dialog .confirm').click()
  await sees('Credential removed')
  await sees(/No credential for GitHub/)
  expect(await page.getByRole('button', { name: 'Remove' }).count()).toBe(0)
  await shot('settings-none')
})

it('keeps secrets out of pages and logs, and the browser content', () => {
  expect(sent.length).toBeGreaterThan(10)
  for (const secret of Object.values(secrets)) {
    expect(sent.filter((text) => text.includes(secret))).toEqual([])
    expect(server.output()).not.toContain(secret)
  }
  expect(complaints).toEqual([])
})
