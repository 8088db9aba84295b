import { openBrowser } from './browser.ts'
import { existsSync } from 'node:fs'
const [link, ...shots] = process.argv.slice(2)
const browser = await openBrowser()
const statePath = '/tmp/review/state.json'
const base = 'http://127.0.0.1:4717'
const first = await browser.newContext(existsSync(statePath) ? { storageState: statePath } : {})
if (!existsSync(statePath)) {
  const p = await first.newPage()
  await p.goto(link ?? '')
  await p.getByRole('button', { name: /sign in/i }).click()
  await p.waitForTimeout(1500)
  console.log(p.url())
  await first.storageState({ path: statePath })
}
for (const shot of shots) {
  const [name = '', path = '', width = '1440', scheme = 'light', full = 'full', js = 'js'] = shot.split('|')
  const context =
    js === 'js' ? first : await browser.newContext({ storageState: statePath, javaScriptEnabled: false })
  const page = await context.newPage()
  await page.setViewportSize({ width: Number(width), height: 1000 })
  await page.emulateMedia({ colorScheme: scheme as 'light' })
  page.on('console', (m) => console.log('CONSOLE', name, m.type(), m.text()))
  page.on('pageerror', (m) => console.log('ERROR', name, m.message))
  const t = performance.now()
  const response = await page.goto(`${base}${path}`)
  console.log(
    name,
    response?.status(),
    Math.round(performance.now() - t),
    'ms',
    (await response?.body())?.length,
  )
  await page.waitForTimeout(Number(process.env.WAIT ?? 600))
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  if (over > 0) console.log('OVERFLOW', name, over)
  await page.screenshot({ path: `/tmp/review/shots/${name}.png`, fullPage: full === 'full' })
  await page.close()
}
await browser.close()
