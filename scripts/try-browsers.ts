/**
 * Walks through the product in Firefox, over WebDriver BiDi, and in WebKit, over WebDriver: signs in, comments by keys, switches pages,
 * searches, selects and asks. It is no part of the suite, whose browser is Chromium.
 *
 *   npm run try:browsers [-- folder [firefox|webkit]]   (keeps what it unpacks in the folder, so that another run begins with it)
 *
 * `FIREFOX` names the program. Without it, and without one on the machine, Debian's is unpacked into the folder. WebKit is Debian's.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { settledJob, startServer } from '../tests/server.ts'
import { until, type Driver } from './browsers/driver.ts'
import { openFirefox } from './browsers/firefox.ts'
import { openWebKit } from './browsers/webkit.ts'

const [given, only] = process.argv.slice(2)
const folder = given === undefined ? mkdtempSync(join(tmpdir(), 'docwright-browsers-')) : resolve(given)
const browsers = { firefox: openFirefox, webkit: openWebKit }

try {
  for (const [name, open] of Object.entries(browsers)) {
    if (only !== undefined && only !== name) continue
    const driver = await open(folder)
    console.log(driver.version)
    try {
      await walk(driver)
    } finally {
      await driver.close()
    }
  }
} finally {
  if (given === undefined) rmSync(folder, { recursive: true, force: true })
}

async function walk(driver: Driver): Promise<void> {
  await using server = await startServer()
  const { projectId, adminKey, signInLink } = server.welcome
  const prompt = 'Replace "Docwright" with "Docwright server" in the quickstart page'
  const jobs = `/v2/agent/${projectId}/job`
  const made = (await (await server.request('POST', jobs, { key: adminKey, body: { prompt } })).json()) as {
    id: string
  }
  await settledJob(server, `${jobs}/${made.id}`, adminKey)

  const steps: [name: string, run: () => Promise<void>][] = [
    [
      'signs in by the link',
      async () => {
        await driver.resize(1280, 900)
        await driver.open(signInLink)
        await driver.evaluate(
          `[...document.querySelectorAll('button')].find((one) => /sign in/i.test(one.textContent)).click()`,
        )
        await until(driver, `!location.pathname.startsWith('/sign-in')`)
      },
    ],
    [
      'opens a comment on a change by j and c, on a fresh page',
      async () => {
        await driver.open(`${server.url}/projects/docwright/pulls/1`)
        await driver.press('j')
        await driver.press('c')
        await until(driver, `document.querySelector('#comment-body')`)
        await driver.type('Replace with: A new line')
        expectSame(
          await driver.evaluate(`document.querySelector('#comment-body').value`),
          'Replace with: A new line',
        )
      },
    ],
    [
      'keeps what is typed while the page changes, and sends it by Ctrl+Enter',
      async () => {
        const said = await server.request('POST', `${jobs}/${made.id}/comments`, {
          key: adminKey,
          body: { path: 'quickstart.mdx', line: 1, body: 'By somebody else' },
        })
        expectSame(said.status, 201)
        await until(driver, `document.querySelector('main').textContent.includes('By somebody else')`)
        expectSame(
          await driver.evaluate(`document.querySelector('#comment-body').value`),
          'Replace with: A new line',
        )
        await driver.evaluate(
          `document.querySelector('#comment-body').dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true }))`,
        )
        await until(
          driver,
          `document.querySelector('main').textContent.includes('A new line') && !document.querySelector('#comment-body')`,
        )
      },
    ],
    [
      'moves between pages',
      async () => {
        for (const path of ['/jobs', '/assistant', '/settings', '/problems', ''])
          await driver.open(`${server.url}/projects/docwright${path}`)
        expectSame(await driver.evaluate(`document.querySelector('h1') !== null`), true)
      },
    ],
    [
      'finds while one types, and offers to change what is selected',
      async () => {
        await driver.open(`${server.url}/docs/docwright/quickstart`)
        await driver.click('#q')
        await driver.type('key')
        await until(driver, `document.querySelector('.search-results [role=option]')`)
        await driver.press('Escape')
        await driver.evaluate(`getSelection().selectAllChildren(document.querySelector('article p'))`)
        await until(driver, `document.querySelector('.change-this:not([hidden])')`)
      },
    ],
    [
      'answers in the widget, and writes from the right in Arabic',
      async () => {
        const shadow = `document.querySelector('docwright-assistant').shadowRoot`
        await driver.open(`${server.url}/docs/docwright/quickstart`)
        await driver.evaluate(
          `document.querySelector('docwright-assistant').replaceWith(Object.assign(document.querySelector('docwright-assistant').cloneNode(), { lang: 'ar' }))`,
        )
        await until(driver, `${shadow}?.querySelector('.launcher')`)
        await driver.evaluate(`${shadow}.querySelector('.launcher').click()`)
        await until(driver, `${shadow}.activeElement?.matches('textarea')`)
        expectSame(
          await driver.evaluate(`getComputedStyle(${shadow}.activeElement, '::placeholder').direction`),
          'rtl',
        )
        await driver.type('How do I revoke a key?')
        expectSame(await driver.evaluate(`${shadow}.activeElement.value`), 'How do I revoke a key?')
        await driver.press('Enter')
        await until(driver, `${shadow}.querySelector('.actions')`)
      },
    ],
    [
      'fits a phone with touch',
      async () => {
        await driver.resize(390, 844)
        await driver.open(`${server.url}/projects/docwright/pulls/1`)
        expectSame(await driver.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
      },
    ],
  ]
  for (const [name, run] of steps) {
    try {
      await run()
      console.log(`ok      ${name}`)
    } catch (error) {
      process.exitCode = 1
      console.log(`failed  ${name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}

function expectSame(found: unknown, wanted: unknown): void {
  if (found !== wanted) throw new Error(`${JSON.stringify(found)} is not ${JSON.stringify(wanted)}`)
}
