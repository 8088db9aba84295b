import { expect, it } from 'vitest'
import { describeOnStore } from '../../../tests/stores.ts'
import { createDashboardWorld, type DashboardWorld } from '../../../tests/worlds/dashboard-world.ts'
import { packNavigation, writeNavigation } from '../../features/docs/navigation.ts'
import { writePages } from '../../features/docs/pages.ts'
import { updateSettings } from '../../features/projects/projects.ts'
import type { Store } from '../../store/database.ts'

describeOnStore('documentation for programs', (store) => {
  it('lists pages as the navigation shows them, with what they are about', async () => {
    const { ask, base } = await docs(store())
    const answer = await ask('/llms.txt')
    expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    const origin = `http://127.0.0.1:4000${base}`
    expect(await answer.text()).toBe(
      [
        `# ${base.slice('/docs/'.length)}`,
        '> Where to start.',
        `All pages in one file: ${origin}/llms-full.txt. Tools to search and read them (Model Context Protocol, streamable HTTP): http://127.0.0.1:4000/mcp/${base.slice('/docs/'.length)}`,
        '## Start',
        `- [Home](${origin}/index.md): Where to start.`,
        '## Guides',
        `- [Set \\[it\\] up](${origin}/guides/setup.md): Two lines.\n- [Use](${origin}/guides/use.md)`,
        '## Old stuff',
        `- [Gone](${origin}/old-stuff/gone.md)`,
        '',
      ]
        .join('\n\n')
        .replace(/\n\n$/, '\n'),
    )
  })

  it('names folders with lists of their own where there are more than 300 pages', async () => {
    const { ask, base, world } = await docs(store())
    const labels = {
      language: undefined,
      version: 'latest',
      groups: [],
      sections: [],
      description: undefined,
    }
    const many = Array.from({ length: 320 }, (_, n) => {
      const name = n < 310 ? `reference/page-${n}` : `more/page-${n}`
      const page = { path: `${name}.md`, url: `/${name}`, title: `Page ${n}`, hidden: false, ...labels }
      return { page, oid: 'x', included: {}, content: 'x' }
    })
    const gone = ['index.md', 'guides/setup.md', 'guides/use.md', 'old-stuff/gone.md']
    await store().transaction((tx) => writePages(tx, world.project.id, many, gone))
    const list = await (await ask('/llms.txt')).text()
    const folder = `${base}/llms.txt?folder=%2Freference`
    expect(list).toContain(`## Folders\n\n- [/reference](http://127.0.0.1:4000${folder}): 310 pages\n`)
    expect(list).toContain('## More\n\n- [Page 310]')
    expect(list).not.toContain('latest')
    expect(list.split('\n- ')).toHaveLength(12)
    const inside = await (await ask('/llms.txt?folder=%2Freference')).text()
    expect(inside).toContain(`# ${base.slice('/docs/'.length)}/reference`)
    expect(inside.split('\n- ')).toHaveLength(311)
    expect((await ask('/llms.txt?folder=nothing')).status).toBe(404)
  })

  it('answers 304 to its entity tags, until a page changes', async () => {
    const { ask, change } = await docs(store())
    for (const path of ['/llms.txt', '/llms-full.txt', '/guides/setup.md']) {
      const tag = (await ask(path)).headers.get('etag') ?? ''
      expect((await ask(path, { 'if-none-match': tag })).status).toBe(304)
      await change('guides/setup.md', `Changed for ${path}`)
      expect((await ask(path, { 'if-none-match': tag })).status).toBe(200)
    }
  })

  it('sends all pages as one text, in that order', async () => {
    const { ask } = await docs(store())
    const text = await (await ask('/llms-full.txt')).text()
    const titles = [...text.matchAll(/^# (.*)$/gm)].map(([, title]) => title)
    expect(titles).toEqual(['Home', 'Own title', 'Use', 'Gone'])
    expect(text).not.toContain('hidden text')
  })

  it('sends a page as Markdown without front matter, with its title and absolute links', async () => {
    const { ask, base } = await docs(store())
    const page = await (await ask('/guides/use.md')).text()
    const origin = 'http://127.0.0.1:4000/docs/docs'
    expect(page).toBe(
      [
        '# Use',
        `[a](${origin}/guides/setup#own) [b](${origin}/) [c](https://example.com/) [d](#here) [e](nope.md) ![f](x.png)`,
        `[x](${origin}/guides/setup)`,
        '```md\n[a](setup.md)\n```\n',
      ].join('\n\n'),
    )
    expect(await (await ask('/guides/setup.md')).text()).toBe('# Own title\n\nText.\n')
    expect(await (await ask('/index.md')).text()).toBe('# Home\n\n> Where to start.\n\nHello.\n')
    const missing = await ask('/none.md')
    expect(missing.status).toBe(404)
    expect(await missing.json()).toEqual({
      error: `There is no page at /none.md; ${base}/llms.txt lists them`,
    })
  })

  it('knows the links of a page to its own published site as soon as its address is set', async () => {
    const { ask, world } = await docs(store())
    const read = async () => (await ask('/guides/use.md')).text()
    expect(await read()).toContain('[c](https://example.com/)')
    await store().transaction((tx) =>
      updateSettings(tx, world.project.id, () => ({ site: 'https://example.com' })),
    )
    expect(await read()).toContain('[c](http://127.0.0.1:4000/docs/')
  })

  it.each([
    ['text/markdown', true],
    ['text/markdown, text/html;q=0.9, */*;q=0.1', true],
    ['text/html, text/markdown', true],
    ['text/markdown;q=0.5, text/html', false],
    ['text/markdown;q=0', false],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', false],
    ['*/*', false],
    ['text/*', false],
    ['', false],
    ['text/markdown;q=nonsense,,;;,"', true],
  ])('sends a page as the client prefers it: %j', async (accept, isMarkdown) => {
    const { ask, base } = await docs(store())
    const answer = await ask('/guides/setup', { accept })
    expect(answer.headers.get('vary')).toBe('Accept')
    expect(answer.headers.get('content-type')?.toLowerCase()).toBe(
      `text/${isMarkdown ? 'markdown' : 'html'}; charset=utf-8`,
    )
    const link = answer.headers.get('link')
    const body = await answer.text()
    if (isMarkdown) {
      expect(link).toBe(`<${base}/guides/setup>; rel="canonical"`)
      expect(answer.headers.get('x-robots-tag')).toBe('noindex')
    } else {
      expect(link).toContain(`<${base}/guides/setup.md>; rel="alternate"; type="text/markdown"`)
      expect(body).toContain(`<link rel="alternate" type="text/markdown" href="${base}/guides/setup.md" />`)
      expect(body).toContain(`<link rel="describedby" type="text/markdown" href="${base}/llms.txt" />`)
    }
  })

  it('leaves the links of a page that takes too long as they are', async () => {
    const { ask, change } = await docs(store())
    await change('guides/use.md', `[a](setup.md)\n\n${'x'.repeat(600_000)}`)
    expect(await (await ask('/guides/use.md')).text()).toContain('[a](setup.md)')
  })
})

const files: Record<string, { title: string; description?: string; content: string; hidden?: boolean }> = {
  'index.md': { title: 'Home', description: 'Where to start.', content: '---\ntitle: Home\n---\nHello.\n' },
  'guides/setup.md': { title: 'Set [it] up', description: 'Two\nlines.', content: '# Own title\n\nText.' },
  'guides/use.md': {
    title: 'Use',
    content:
      '[a](setup.md#own) [b](/) [c](https://example.com/) [d](#here) [e](nope.md) ![f](x.png)\n\n<Card href="/guides/setup">x</Card>\n\n```md\n[a](setup.md)\n```',
  },
  'old-stuff/gone.md': { title: 'Gone', content: 'Gone.' },
  'secret.md': { title: 'Secret', content: 'hidden text', hidden: true },
}

async function docs(store: Store): Promise<{
  ask: (path: string, headers?: Record<string, string>) => Promise<Response>
  base: string
  change: (path: string, content: string) => Promise<void>
  world: DashboardWorld
}> {
  const world = await createDashboardWorld(store)
  const { id, domain } = world.project
  const write = (path: string, content: string): Promise<void> => {
    const { title = '', description, hidden = false } = files[path] ?? {}
    const url = path === 'index.md' ? '/' : `/${path.replace(/\.md$/, '')}`
    const labels = { language: undefined, version: undefined, groups: [], sections: [] }
    const page = { path, url, title, description, hidden, ...labels }
    return store.transaction((tx) => writePages(tx, id, [{ page, oid: 'x', included: {}, content }], []))
  }
  for (const [path, { content }] of Object.entries(files)) await write(path, content)
  await store.transaction(async (tx) => {
    await updateSettings(tx, id, () => ({ visibility: 'public' }))
    const entries = [
      { path: 'index.md', groups: ['Start'] },
      { path: 'guides/setup.md', groups: ['Guides'] },
      { path: 'guides/use.md', groups: ['Guides'] },
    ]
    await writeNavigation(tx, id, packNavigation(entries))
  })
  const base = `/docs/${domain}`
  return {
    ask: async (path, headers = {}) => world.app.request(`${base}${path}`, { headers }),
    base,
    change: write,
    world,
  }
}
