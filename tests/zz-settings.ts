import { openBrowser } from './browser.ts'
import { readFileSync, mkdirSync, existsSync } from 'node:fs'
const [, , widths, ...paths] = process.argv
mkdirSync('/tmp/settings-shots', { recursive: true })
const browser = await openBrowser()
const state = '/tmp/settings-state.json'
const context = await browser.newContext(existsSync(state) ? { storageState: state } : {})
const page = await context.newPage()
page.on('console', (m) => m.type() === 'error' && console.log('console', m.text()))
page.on('pageerror', (e) => console.log('pageerror', e.message))
const url = 'http://127.0.0.1:4611'
await page.goto(`${url}/projects`)
if (page.url().includes('sign-in')) {
  const link = /http\S+sign-in\S+/.exec(readFileSync('/tmp/settings-serve.log', 'utf8'))?.[0] ?? ''
  await page.goto(link)
  await page.getByRole('button', { name: /sign in/i }).click()
  await page.waitForURL(/projects/)
  await context.storageState({ path: state })
}
for (const spec of paths) {
  const [path = '', dark] = spec.split('@')
  await page.emulateMedia({ colorScheme: dark === 'dark' ? 'dark' : 'light' })
  for (const width of (widths ?? '1440').split(',')) {
    await page.setViewportSize({ width: Number(width), height: 900 })
    const response = await page.goto(url + path)
    await page.waitForTimeout(300)
    const name = `${path.replace(/\W+/g, '_')}-${width}${dark ?? ''}`
    await page.screenshot({ path: `/tmp/settings-shots/${name}.png`, fullPage: true })
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
    console.log(response?.status(), name, wide ? 'OVERFLOWS' : '')
  }
}
await browser.close()
