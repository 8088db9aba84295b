import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { onPath, unpackPackages } from './debian.ts'
import type { Driver } from './driver.ts'

/** What is used of puppeteer-core, which only this needs. */
interface Page {
  goto(address: string): Promise<unknown>
  evaluate(code: string): Promise<unknown>
  click(selector: string): Promise<void>
  setViewport(size: { width: number; height: number }): Promise<void>
  keyboard: { press(key: string): Promise<void>; type(text: string): Promise<void> }
}
interface Puppeteer {
  launch(options: Record<string, unknown>): Promise<{
    newPage(): Promise<Page>
    version(): Promise<string>
    close(): Promise<void>
  }>
}

/** Firefox over WebDriver BiDi: the one that `FIREFOX` names, that of the machine, or Debian's. */
export async function openFirefox(folder: string): Promise<Driver> {
  const { executablePath, libraries } = findFirefox(folder)
  const browser = await puppeteer(folder).launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    env: { ...process.env, HOME: folder, ...(libraries && { LD_LIBRARY_PATH: libraries }) },
  })
  const page = await browser.newPage()
  return {
    version: await browser.version(),
    open: async (address) => void (await page.goto(address)),
    evaluate: (expression) => page.evaluate(expression),
    click: (selector) => page.click(selector),
    press: (key) => page.keyboard.press(key),
    type: (text) => page.keyboard.type(text),
    resize: (width, height) => page.setViewport({ width, height }),
    close: () => browser.close(),
  }
}

function puppeteer(folder: string): Puppeteer {
  const home = join(folder, 'puppeteer')
  mkdirSync(home, { recursive: true })
  if (!existsSync(join(home, 'node_modules/puppeteer-core')))
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', home, 'puppeteer-core@24'])
  const { default: all } = createRequire(join(home, 'x.js'))('puppeteer-core') as { default: Puppeteer }
  return all
}

function findFirefox(folder: string): { executablePath: string; libraries?: string } {
  const program = process.env['FIREFOX'] ?? onPath('firefox-esr') ?? onPath('firefox')
  if (program !== undefined) return { executablePath: program }
  const path = 'usr/lib/firefox-esr/firefox-esr'
  const root = unpackPackages(join(folder, 'firefox'), ['firefox-esr'], path)
  return { executablePath: join(root, path), libraries: join(root, 'usr/lib/x86_64-linux-gnu') }
}
