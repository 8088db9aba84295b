import chromium from '@sparticuz/chromium'
import { chromium as playwright, type Browser } from 'playwright-core'
import { z } from 'zod'
import { askRun } from './ask-run.ts'
import { unpackBrowser } from './unpack-browser.ts'

// Drawn in software either way; without WebGL that costs half as much.
chromium.setGraphicsMode = false

/** Milliseconds that a page waits for what a test names: far above what a busy machine takes. */
const patience = 120_000

/** A real Chromium from the packages installed with the tests. */
export async function openBrowser(): Promise<Browser> {
  const isOfRun = process.env['TEST_STORES'] !== undefined
  const browser = await playwright.launch({
    executablePath: isOfRun ? z.string().parse(await askRun('/browser')) : await unpackBrowser(),
    args: [
      ...chromium.args,
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-quic',
    ],
    headless: true,
  })
  const newContext = browser.newContext.bind(browser)
  // `newPage` opens a context too. Without motion: what turns while a job runs is drawn sixty times a second, in software.
  browser.newContext = async (options) => {
    const context = await newContext({ reducedMotion: 'reduce', ...options })
    context.setDefaultTimeout(patience)
    return context
  }
  return browser
}
