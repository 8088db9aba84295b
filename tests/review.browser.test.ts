import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { openBrowser } from './browser.ts'
import { runCommand, settledJob, startServer, type TestServer } from './server.ts'
import { plainGit } from './worlds/git/temporary-git.ts'

/** A change reviewed by people: with a browser, without scripts, over HTTP and on the terminal. */
let server: TestServer
let browser: Browser
let context: BrowserContext
let page: Page
let job = ''
const complaints: string[] = []
const pull = '/projects/docwright/pulls/1'

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), openBrowser()])
  context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  page = await context.newPage()
  page.on('console', (message) => {
    if (/^(?:error|warning)$/.test(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(server.welcome.signInLink)
  await page.getByRole('button', { name: /sign in/i }).click()
  await page.getByRole('heading', { name: 'Projects' }).waitFor()
  const prompt = 'Replace "Docwright" with "Docwright server" in the quickstart page'
  const made = await request('POST', '', { prompt })
  job = (made.body as { id: string }).id
  await settled()
})
afterAll(async () => {
  await browser.close()
  await server[Symbol.asyncDispose]()
})

interface Answer {
  status: number
  body: unknown
  headers: Headers
}

async function request(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const address = `/v2/agent/${server.welcome.projectId}/job${path}`
  const response = await server.request(method, address, { key: server.welcome.adminKey, body, headers })
  return { status: response.status, body: await response.json(), headers: response.headers }
}

async function settled(): Promise<void> {
  await settledJob(server, `/v2/agent/${server.welcome.projectId}/job/${job}`, server.welcome.adminKey)
}

it('takes comments beside lines and marks files as viewed, by keys alone', async () => {
  await page.goto(`${server.url}${pull}`)
  expect(await page.locator('#merge').textContent()).toContain('Ready to merge')
  await page.locator('#body').fill('Still to say')
  await page.locator('#body').blur()
  await page.keyboard.press('j')
  await page.keyboard.press('c')
  const comment = page.getByLabel('Leave a comment')
  await comment.waitFor()
  // Keys are only letters while somebody types.
  await page.keyboard.type('Replace "fresh clone" with "new clone"?')
  expect(await comment.inputValue()).toBe('Replace "fresh clone" with "new clone"?')
  await comment.fill('Replace "fresh clone" with "new clone"')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const remark = page.locator('.review-file article.remark')
  await remark.waitFor()
  expect(await remark.textContent()).toMatch(/The operator[^]*Not sent[^]*new clone/)
  await expect.poll(() => page.locator('#merge').textContent()).toContain('Not ready to merge')
  await page.keyboard.press('v')
  await page.getByText('1 of 1 file viewed').waitFor()
  await expect.poll(() => page.locator('.review-file details').getAttribute('open')).toBeNull()
  await page.keyboard.press('c')
  await comment.waitFor()
  await page.keyboard.press('Escape')
  await comment.waitFor({ state: 'detached' })
  expect(await page.evaluate(`document.activeElement.closest('.review-file') !== null`)).toBe(true)
  expect(await page.locator('#body').inputValue()).toBe('Still to say')
  await page.keyboard.press('?')
  expect(await page.getByText('mark the file as viewed').isVisible()).toBe(true)
  await page.reload()
  expect(await page.getByText('1 of 1 file viewed').isVisible()).toBe(true)
  expect(await page.locator('#body').inputValue()).toBe('Still to say')
})

it('opens no file that is far below what is seen', async () => {
  await page.goto(`${server.url}${pull}`)
  const opened = await page.evaluate(`new Promise((resolve) => {
    const far = document.createElement('div')
    far.style.marginTop = '9000px'
    far.innerHTML = '<section class="review-file" data-path="x"><details open><summary>x</summary>' +
      '<div class="review-content"><p class="review-unopened"><a href="?file=x">x</a></p></div></details></section>'
    document.querySelector('main').append(far)
    // The browser tells of this part although nobody has unfolded it.
    far.querySelector('details').addEventListener('toggle', () => resolve(far.querySelectorAll('[aria-busy]').length))
  })`)
  expect(opened).toBe(0)
})

it('opens a file in sight whose link was renewed while it was fetched', async () => {
  await page.goto(`${server.url}${pull}`)
  await page.evaluate(`{
    const unopened = '<p class="review-unopened"><a href="?file=x">x</a></p>'
    const near = document.createElement('div')
    near.id = 'near'
    near.innerHTML = '<section class="review-file" data-path="x"><details open><summary>x</summary>' +
      '<div class="review-content">' + unopened + '</div></details></section>'
    let asked = 0
    window.fetch = async () => {
      if (++asked === 1) near.querySelector('.review-content').innerHTML = unopened
      const text = async () => '<section class="review-file"><div class="review-content">Opened</div></section>'
      return { ok: true, status: 200, url: location.href, text }
    }
    document.querySelector('main').prepend(near)
  }`)
  await expect.poll(() => page.locator('#near').textContent()).toContain('Opened')
})

it('does the same without scripts, and sends all comments as one follow-up', async () => {
  const { cookies } = await context.storageState()
  const plain = await browser.newContext({ javaScriptEnabled: false })
  await plain.addCookies(cookies)
  const reader = await plain.newPage()
  // It was viewed, so it is folded unless it is asked for.
  await reader.goto(`${server.url}/projects/docwright/jobs/${job}?file=quickstart.mdx&lines=split`)
  const link = reader.locator('.changed .old .review-comment').first()
  await reader.goto(new URL((await link.getAttribute('href')) ?? '', server.url).href)
  await reader.getByLabel('Leave a comment').fill('Is **this** the name?')
  await reader.getByLabel('to', { exact: true }).fill('99999')
  await reader.getByRole('button', { name: 'Add to the review' }).click()
  expect(await reader.locator('[data-problem]').textContent()).toContain('at most 100 lines')
  await reader
    .getByLabel('to', { exact: true })
    .fill((await reader.getByLabel('Line', { exact: true }).inputValue()) ?? '')
  await reader.getByRole('button', { name: 'Add to the review' }).click()
  expect(await reader.locator('article.remark strong', { hasText: 'this' }).count()).toBe(1)
  const edit = reader.locator('article.remark', { hasText: 'the name?' }).getByRole('link', { name: 'Edit' })
  await edit.click()
  await reader.getByLabel('Your comment').fill('Replace "In a" with "In your"')
  await reader.getByRole('button', { name: 'Save' }).click()
  await reader.getByLabel('Summary').fill('Thank you!')
  await reader.getByRole('button', { name: 'Send 2 comments to the agent' }).click()
  expect(await reader.locator('.sent-review').textContent()).toMatch(
    /Thank you![^]*quickstart\.mdx:12[^]*In a fresh clone[^]*Replace "fresh clone"/,
  )
  await reader.goto('about:blank')
})

it('has the agent carry out the comments, and tells what became of them', async () => {
  await settled()
  const { body } = await request('GET', `/${job}/comments`)
  expect(body).toMatchObject({
    comments: [
      { path: 'quickstart.mdx', side: 'new', state: 'changed', outdated: true, turn: 2 },
      { path: 'quickstart.mdx', side: 'old', state: 'changed', turn: 2 },
    ],
  })
  await page.goto(`${server.url}${pull}`)
  expect(await page.locator('#merge').textContent()).toContain('Ready to merge')
  expect(await page.locator('.merged .new').first().textContent()).toContain('clone of Docwright server')
  // The file is another one than the one that was viewed.
  expect(await page.getByText('0 of 1 file viewed').isVisible()).toBe(true)
  expect(await page.locator('.commits li').count()).toBe(2)
  await page.locator('.commits a').first().click()
  expect(await page.locator('.merged .new').first().textContent()).toContain('In your new clone')
})

it('takes the same over HTTP and on the terminal', async () => {
  const first = { path: 'quickstart.mdx', line: 12, body: 'Hm' }
  for (const [change, status] of [
    [{}, 201],
    [{ line: 0 }, 400],
    [{ body: '' }, 400],
    [{ path: 'none.mdx' }, 400],
    [{ revision: 'f'.repeat(40) }, 409],
  ] as const)
    expect([change, (await request('POST', `/${job}/comments`, { ...first, ...change })).status]).toEqual([
      change,
      status,
    ])
  const printed = await runCommand(
    server.dataFolder,
    'job',
    'comment',
    job,
    'quickstart.mdx:12',
    'Replace "new clone" with "clone"',
  )
  expect(printed.stdout).toMatch(
    /quickstart\.mdx:12 {2}draft {2}The operator {2}cmt_\S+\n {2}> 1\. In your new clone/,
  )
  const { body } = await request('GET', `/${job}/comments`)
  const drafts = (body as { comments: { id: string; state: string; author: string }[] }).comments.filter(
    ({ state }) => state === 'draft',
  )
  const [own = '', other = ''] = drafts.map(({ id }) => id)
  expect((await request('PATCH', `/${job}/comments/${other}`, { body: 'x' })).status).toBe(403)
  expect((await request('DELETE', `/${job}/comments/${own}`)).status).toBe(200)
  expect((await request('DELETE', `/${job}/comments/${own}`)).status).toBe(404)
  const send = () => request('POST', `/${job}/comments/send`, {}, { 'idempotency-key': 'once' })
  expect([(await send()).status, (await send()).headers.get('idempotency-replayed')]).toEqual([200, 'true'])
  expect((await request('POST', `/${job}/comments/send`, {})).status).toBe(409)
  await settled()
  const commits = await runCommand(server.dataFolder, 'job', 'commits', job)
  expect(commits.stdout.trim().split('\n')).toHaveLength(4)
  expect((await request('POST', `/${job}/viewed`, { path: 'quickstart.mdx', viewed: true })).body).toEqual({
    files: [{ path: 'quickstart.mdx', viewed: true }],
    viewed: 1,
  })
})

it('closes, reopens, names what is in conflict, and merges in the name of the person', async () => {
  page.on('dialog', (dialog) => void dialog.accept())
  await page.goto(`${server.url}${pull}`)
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Reopen' }).click()
  await page.getByText('Pull request reopened.').waitFor()
  const folder = join(server.dataFolder, 'repositories', 'docwright.git')
  const git = (...args: string[]): string => plainGit(folder, args)
  const before = git('rev-parse', 'main')
  const text = git('show', 'main:quickstart.mdx').replace('In a fresh clone', 'In some clone')
  const blob = plainGit(folder, ['hash-object', '-w', '--stdin'], text)
  const entries = git('ls-tree', 'main').replace(/blob \w+(?=\tquickstart\.mdx)/, `blob ${blob}`)
  const tree = plainGit(folder, ['mktree'], entries)
  git('update-ref', 'refs/heads/main', git('commit-tree', tree, '-p', 'main', '-m', 'By hand'))
  await page.reload()
  const box = page.locator('#merge')
  expect(await box.textContent()).toMatch(
    /Merging is blocked[^]*both changed quickstart\.mdx[^]*built-in model can’t/,
  )
  const shown = await runCommand(server.dataFolder, 'pull', 'show', '1')
  expect(shown.stdout).toContain('cannot be merged now')
  git('update-ref', 'refs/heads/main', before)
  await page.reload()
  await page.getByRole('button', { name: 'Merge' }).click()
  await page.getByText('Pull request merged.').waitFor()
  expect(git('log', '-1', '--format=%b', 'main')).toContain('Merged-by: The operator')
  expect(git('show', 'main:quickstart.mdx')).toContain('In your clone of Docwright server')
})

it('gives the browser nothing to complain about', () => {
  expect(complaints).toEqual([])
})
