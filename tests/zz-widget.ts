import { openBrowser } from './browser.ts'
import { startModelMock } from './model-mock.ts'
import { startServer } from './server.ts'
import { serveWidgetSite } from './widget-site.ts'
const out = '/tmp/widget'
const answer = (l: string) => `You make a key on the **API keys** page, or with a command. See [Manage keys](${l}).

1. Open the project.
2. Choose *Create an assistant key*.
   - name its origin
3. Copy it; it is shown once.

\`\`\`bash
# makes a key
docwright key create --kind assistant --origin "https://docs.example.com"
\`\`\`

| Kind | Where it may stand |
| --- | --- |
| admin | servers only |
| assistant | web pages |

<img src=x onerror="document.title='pwned'"> and [bad](javascript:alert(1))

\`\`\`ts
const key: string = await make('assistant', 42) // once
export function use({ key }: Options) { return \`Bearer \${key}\` }
\`\`\`

> A key that leaks is revoked at once.
`
let l = '/guides/manage-keys'
const model = await startModelMock(() => Promise.resolve(answer(l)), { chunkSize: 24, latency: 30 })
const server = await startServer({ environment: model.environment })
const browser = await openBrowser()
console.log(server.url, server.welcome)
l = `${server.url}/docs/docwright/guides/manage-keys`
const site = await serveWidgetSite(server.url, { domain: server.welcome.domain, key: server.welcome.assistantKey })
const page = await browser.newPage({ viewport: { width: 1200, height: 850 } })
page.on('console', (m) => console.log('console', m.type(), m.text()))
page.on('pageerror', (e) => console.log('pageerror', e.message, e.stack))
page.on('response', (r) => { if (r.url().includes('/discovery') || r.url().includes('widget')) console.log(r.status(), r.url()) })
await page.goto(site.url)
await page.waitForTimeout(1500)
await page.screenshot({ path: `${out}/1.png` })
await page.getByRole('button', { name: 'Ask', exact: true }).click()
await page.waitForTimeout(800)
await page.screenshot({ path: `${out}/2.png` })
await page.getByRole('textbox', { name: 'Ask a question' }).fill('How do I create a key?')
await page.keyboard.press('Enter')
await page.waitForTimeout(600)
await page.screenshot({ path: `${out}/3.png` })
await page.waitForTimeout(3500)
await page.screenshot({ path: `${out}/4.png` })
await page.emulateMedia({ colorScheme: 'dark' })
await page.locator('.log').evaluate((e) => (e.scrollTop = 1e6))
await page.waitForTimeout(300)
await page.screenshot({ path: `${out}/5.png` })
await page.setViewportSize({ width: 360, height: 700 })
await page.goto(`${site.url}/?lang=ar`)
await page.waitForTimeout(500)
await page.screenshot({ path: `${out}/6.png` })
await page.locator('.launcher').click()
await page.waitForTimeout(500)
await page.screenshot({ path: `${out}/7.png` })
await page.emulateMedia({ colorScheme: 'light' })
await page.setViewportSize({ width: 1200, height: 850 })
await page.goto(`${site.url}/hostile`)
await page.waitForTimeout(500)
await page.screenshot({ path: `${out}/8.png` })
await page.goto(server.welcome.signInLink)
await page.getByRole('button', { name: /sign in/i }).click()
await page.goto(`${server.url}/projects/docwright/widget`)
await page.waitForTimeout(1000)
await page.screenshot({ path: `${out}/9.png`, fullPage: true })
await page.setViewportSize({ width: 360, height: 800 })
await page.emulateMedia({ colorScheme: 'dark' })
await page.waitForTimeout(500)
await page.screenshot({ path: `${out}/10.png`, fullPage: true })
await browser.close()
await server[Symbol.asyncDispose]()
await model[Symbol.asyncDispose]()
await site[Symbol.asyncDispose]()
process.exit(0)
