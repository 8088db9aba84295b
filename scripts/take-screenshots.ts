/**
 * Takes the pictures of docs/images/ again: starts a server with the demo project, has it do real work, and visits its
 * pages in a browser. Fails when a page is gone or is another one than expected.
 *
 *   npm run screenshots
 */
import { mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { z } from 'zod'
import { openBrowser } from '../tests/browser.ts'
import { settledJob, startServer, type TestServer } from '../tests/server.ts'

const folder = join(import.meta.dirname, '../docs/images')
const mostBytes = 1_200_000
const project = '/projects/docwright'
const viewport = { width: 1280, height: 800 }

interface Picture {
  name: string
  address: string
  heading: string
  /** Brings the page into the state to be shown. */
  prepare?: (page: Page) => Promise<void>
}

const pictures: Picture[] = [
  { name: 'overview', address: project, heading: 'docwright' },
  {
    name: 'review',
    address: `${project}/pulls/1`,
    heading: 'Replace "Quickstart" with "First steps" #1',
    prepare: async (page) => {
      await page.locator('article.remark').first().waitFor()
      await page.evaluate(
        "scrollTo(0, document.querySelector('#review-progress').getBoundingClientRect().top + scrollY - 64)",
      )
    },
  },
  { name: 'new-job', address: `${project}/jobs/new`, heading: 'Start a job' },
  { name: 'assistant', address: `${project}/assistant`, heading: 'Assistant' },
  { name: 'gaps', address: `${project}/assistant/gaps`, heading: 'Gaps' },
  {
    name: 'widget',
    address: '/docs/docwright/guides/manage-keys',
    heading: 'Manage keys',
    prepare: async (page) => {
      await page.locator('docwright-assistant .launcher').click()
      const field = page.locator('docwright-assistant .composer textarea')
      await field.fill('How do I revoke a key?')
      await field.press('Enter')
      await page.locator('docwright-assistant .actions').last().waitFor()
    },
  },
  { name: 'people', address: '/people', heading: 'People' },
]

const questions = [
  'How do I add my own repository?',
  'How do I create an API key?',
  'Which models can I use?',
  'How do I back up the server?',
  'How do I connect Kafka?',
  'Is there a Kafka connector?',
  'Can events of jobs go to Kafka?',
  'Is there a Terraform module?',
  'Is there a Terraform provider?',
]

const dataFolders: string[] = []
try {
  await takeAll()
} finally {
  for (const path of dataFolders) await rm(path, { recursive: true, force: true })
}

async function takeAll(): Promise<void> {
  await using server = await startServer()
  dataFolders.push(server.dataFolder)
  const browser = await openBrowser()
  try {
    const context = await browser.newContext({ viewport, colorScheme: 'light', reducedMotion: 'reduce' })
    const page = await context.newPage()
    await page.goto(server.welcome.signInLink)
    await page.getByLabel('Name').fill('Ada Lovelace')
    await page.getByLabel('Email').fill('ada@example.com')
    await page.getByLabel('Password').fill('correct horse battery')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('heading', { name: 'Projects' }).waitFor()

    const { projectId, adminKey: key, assistantKey } = server.welcome
    const send = async (path: string, body: unknown, bearer = key): Promise<string> => {
      const ask = () => server.request('POST', path, { key: bearer, body })
      let response = await ask()
      // A busy machine answers so, and means that the request is to be repeated.
      for (let tries = 0; response.status === 503 && tries < 20; tries++) {
        await delay(3000)
        response = await ask()
      }
      const text = await response.text()
      if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`)
      return text
    }
    const jobs = `/v2/agent/${projectId}/job`
    for (const prompt of [
      'Replace "Quickstart" with "First steps"',
      'Add a note to the troubleshooting page: "Restart the server after each change of its configuration."',
    ]) {
      const { id } = z.object({ id: z.string() }).parse(JSON.parse(await send(jobs, { prompt })))
      await settledJob(server, `${jobs}/${id}`, key)
    }
    await comment(page, `${server.url}${project}/pulls/1`, 'Replace "First steps" with "Your first steps"')
    for (const [index, text] of questions.entries())
      await send(
        '/discovery/v2/assistant/docwright/message',
        {
          fp: `reader-${index}`,
          messages: [{ id: '1', role: 'user', parts: [{ type: 'text', text }] }],
        },
        assistantKey,
      )
    await gapsFound(async () =>
      (await server.request('GET', `/v2/insights/${projectId}/gaps`, { key })).json(),
    )

    await page.goto(`${server.url}/people`)
    await page.locator('input[value=viewer]').check()
    await page.getByLabel('Note').fill('Grace, writer')
    await page.getByRole('button', { name: 'Create invitation link' }).click()
    await page.locator('.secret code').waitFor()

    await mkdir(folder, { recursive: true })
    for (const picture of pictures) await take(page, server, picture)
  } finally {
    await browser.close()
  }
  const sizes = await Promise.all(
    pictures.map(async ({ name }) => (await stat(join(folder, `${name}.png`))).size),
  )
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  console.log(`${pictures.length} pictures, ${Math.round(bytes / 1000)} KB`)
  if (bytes > mostBytes) throw new Error(`The pictures have more than ${mostBytes / 1000} KB`)
}

/** By the keys of the review page, at its first change. */
async function comment(page: Page, address: string, text: string): Promise<void> {
  await page.goto(address)
  await page.keyboard.press('j')
  await page.keyboard.press('c')
  await page.getByLabel('Leave a comment').fill(text)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.locator('article.remark').first().waitFor()
}

/** Questions are grouped by the clock. */
async function gapsFound(read: () => Promise<unknown>): Promise<void> {
  const listed = z.object({ gaps: z.array(z.unknown()) })
  for (let second = 0; second < 120; second++) {
    if (listed.parse(await read()).gaps.length > 0) return
    await delay(1000)
  }
  throw new Error('No gap was found in two minutes')
}

async function take(
  page: Page,
  { url, dataFolder }: TestServer,
  { name, address, heading, prepare }: Picture,
): Promise<void> {
  // Of the temporary server, pictures show neither its folder nor its port, also after a live page was fetched again.
  await page.route(`${url}${address}`, async (route) => {
    const answer = await route.fetch()
    const text = (await answer.text()).replaceAll(dataFolder, './data')
    await route.fulfill({ response: answer, body: text.replaceAll(url, 'http://127.0.0.1:4000') })
  })
  const response = await page.goto(`${url}${address}`)
  if (response?.status() !== 200) throw new Error(`${address} answered ${response?.status()}`)
  const shown = (await page.locator('h1').first().textContent())?.replace(/\s+/g, ' ').trim()
  if (shown !== heading) throw new Error(`${address} has the heading “${shown}” and not “${heading}”`)
  await prepare?.(page)
  await page.evaluate('document.fonts.ready')
  await writeFile(join(folder, `${name}.png`), await page.screenshot({ animations: 'disabled' }))
}
