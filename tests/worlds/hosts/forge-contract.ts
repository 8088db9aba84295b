import { expect, it } from 'vitest'
import type { Forge } from '../../../src/integrations/forges/forge.ts'

/** A repository on the forge under test, with a branch `main`, and the hands of a person. */
export interface ForgeWorld extends AsyncDisposable {
  forge: Forge
  /** Commits a change of `path` on top of `from` and pushes it as `branch`. */
  push: (branch: string, path: string, content: string, from?: string) => Promise<void>
  deleteBranch: (branch: string) => Promise<void>
  merge: (number: number) => Promise<void>
  close: (number: number) => Promise<void>
  comment: (number: number, body: string) => Promise<void>
  /** What a person writes in place of title and text; undefined where only this server writes them. */
  edit?: (number: number, text: { title?: string; body?: string }) => Promise<void>
  /** The title without what marks a draft, and the whole text. */
  readText: (number: number) => Promise<{ title: string; body: string }>
}

/** What every forge has to do. Call it inside `describe`. */
export function testForge(createWorld: () => Promise<ForgeWorld>): void {
  const text = { title: 'Say more', body: 'Why: **because**.' }

  it('knows no change request of a branch that has none', async () => {
    await using world = await createWorld()
    expect(await world.forge.findByHead('nothing')).toBeUndefined()
    expect(await world.forge.read(7)).toBeUndefined()
  })

  it('opens a change request that is found by its branch and its number', async () => {
    await using world = await createWorld()
    await world.push('work', 'a.md', 'a')
    const opened = await world.forge.open({ ...text, head: 'work', base: 'main', draft: false })
    expect(opened).toMatchObject({ state: 'open', head: 'work', base: 'main' })
    // A path is on this server.
    expect(URL.canParse(opened.link, 'https://docwright.example')).toBe(true)
    expect(opened.link).toMatch(/^(https?:\/\/|\/)./)
    expect(await world.forge.findByHead('work')).toEqual(opened)
    expect(await world.forge.read(opened.number)).toEqual(opened)
    const written = await world.readText(opened.number)
    expect(written).toEqual({ title: text.title, body: expect.stringContaining(text.body) as string })
  })

  it('opens one, however often and at once it is asked', async () => {
    await using world = await createWorld()
    await world.push('work', 'a.md', 'a')
    const open = () => world.forge.open({ ...text, head: 'work', base: 'main', draft: false })
    const [one, two] = await Promise.all([open(), open()])
    expect(two).toEqual(one)
    expect(await open()).toEqual(one)
  })

  it('gives every branch a change request of its own', async () => {
    await using world = await createWorld()
    for (const head of ['one', 'two']) await world.push(head, `${head}.md`, head)
    const numbers = await Promise.all(
      ['one', 'two'].map((head) => world.forge.open({ ...text, head, base: 'main', draft: false })),
    )
    expect(new Set(numbers.map((request) => request.number)).size).toBe(2)
  })

  it('replaces its own text, and says so of a change request that does not exist', async () => {
    await using world = await createWorld()
    await world.push('work', 'a.md', 'a')
    const { number, link } = await world.forge.open({ ...text, head: 'work', base: 'main', draft: true })
    const updated = await world.forge.update(number, { body: 'New' })
    expect(updated).toMatchObject({ number, link, state: 'open' })
    const { title, body } = await world.readText(number)
    expect([title, body]).toEqual([text.title, expect.stringContaining('New')])
    expect(body).not.toContain(text.body)
    await expect(world.forge.update(number + 100, text)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('leaves people their title and what they wrote', async () => {
    await using world = await createWorld()
    if (!world.edit) return
    await world.push('work', 'a.md', 'a')
    const template = '## Summary\n\n## Checklist\n\n- [ ] Read by a person'
    const { number } = await world.forge.open({ ...text, template, head: 'work', base: 'main', draft: true })
    const { body } = await world.readText(number)
    expect(body.indexOf(text.body)).toBeGreaterThan(body.indexOf('## Summary'))
    expect(body.indexOf('## Checklist')).toBeGreaterThan(body.indexOf(text.body))
    // Browsers send these line ends.
    const mine = `Closes #77\n\n${body.replace('[ ]', '[x]').replace(text.body, `${text.body}\n\nMind the image.`)}`
    await world.edit(number, { title: 'docs: say more', body: mine.replaceAll('\n', '\r\n') })
    for (const written of ['Second', 'Third']) {
      await world.forge.update(number, { body: written, former: text.body, draft: false })
      const now = await world.readText(number)
      expect(now.title).toBe('docs: say more')
      expect(now.body).toMatch(/^Closes #77\r?\n/)
      for (const kept of ['## Summary', '- [x] Read by a person', 'Mind the image.', written])
        expect(now.body).toContain(kept)
      expect(now.body).not.toContain(text.body)
    }
    await world.edit(number, { body: 'All of it rewritten' })
    await world.forge.update(number, { body: 'Fourth' })
    expect((await world.readText(number)).body).toMatch(/^All of it rewritten\n[^]*Fourth/)
  })

  it('takes the text of a version without marks for its own', async () => {
    await using world = await createWorld()
    if (!world.edit) return
    await world.push('work', 'a.md', 'a')
    const { number } = await world.forge.open({ ...text, head: 'work', base: 'main', draft: false })
    await world.edit(number, { body: `Closes #77\r\n\r\nOne.\r\n\r\nTwo.\r\n\r\n- [x] Seen` })
    await world.forge.update(number, { body: 'New', former: 'One.\n\nTwo.' })
    const { body } = await world.readText(number)
    expect(body).toMatch(/^Closes #77\n[^]*New[^]*- \[x\] Seen$/)
    expect(body).not.toContain('Two.')
  })

  it('marks a draft as ready when it is asked to, and only then', async () => {
    await using world = await createWorld()
    await world.push('work', 'a.md', 'a')
    const { number, draft } = await world.forge.open({ ...text, head: 'work', base: 'main', draft: true })
    expect(draft).toBe(true)
    expect(await world.forge.update(number, text)).toMatchObject({ draft: true })
    expect(await world.forge.findByHead('work')).toMatchObject({ draft: true })
    expect(await world.forge.update(number, { ...text, draft: false })).toMatchObject({ draft: false })
    expect(await world.forge.read(number)).toMatchObject({ draft: false })
    expect(await world.forge.update(number, { ...text, draft: false })).toMatchObject({ draft: false })
    expect((await world.readText(number)).title).toBe(text.title)
  })

  it('marks a draft as ready and leaves its text', async () => {
    await using world = await createWorld()
    await world.push('work', 'a.md', 'a')
    const { number } = await world.forge.open({ ...text, head: 'work', base: 'main', draft: true })
    const before = await world.readText(number)
    for (let count = 0; count < 2; count++)
      expect(await world.forge.update(number, { draft: false })).toMatchObject({
        state: 'open',
        draft: false,
      })
    expect(await world.readText(number)).toEqual(before)
  })

  it('closes what is open, and leaves what has ended', async () => {
    await using world = await createWorld()
    for (const head of ['one', 'two']) await world.push(head, `${head}.md`, 'a')
    const [one, two] = await Promise.all(
      ['one', 'two'].map((head) => world.forge.open({ ...text, head, base: 'main', draft: true })),
    )
    const before = await world.readText(one?.number ?? 0)
    for (let count = 0; count < 2; count++)
      expect(await world.forge.update(one?.number ?? 0, { state: 'closed' })).toMatchObject({
        state: 'closed',
      })
    expect(await world.forge.read(one?.number ?? 0)).toMatchObject({ state: 'closed' })
    expect(await world.readText(one?.number ?? 0)).toEqual(before)
    await world.merge(two?.number ?? 0)
    expect(await world.forge.update(two?.number ?? 0, { state: 'closed' })).toMatchObject({ state: 'merged' })
    expect(await world.forge.read(two?.number ?? 0)).toMatchObject({ state: 'merged' })
  })

  it('merges into another branch when it is told to', async () => {
    await using world = await createWorld()
    for (const branch of ['work', 'trunk']) await world.push(branch, `${branch}.md`, 'a')
    const { number } = await world.forge.open({ ...text, head: 'work', base: 'main', draft: false })
    expect(await world.forge.update(number, { ...text, base: 'trunk' })).toMatchObject({ base: 'trunk' })
    expect(await world.forge.read(number)).toMatchObject({ base: 'trunk', state: 'open' })
  })

  it('refuses a branch that does not exist', async () => {
    await using world = await createWorld()
    const opening = world.forge.open({ ...text, head: 'nothing', base: 'main', draft: false })
    await expect(opening).rejects.toMatchObject({ code: 'not_found' })
  })

  it('refuses a branch that changes nothing', async () => {
    await using world = await createWorld()
    const opening = world.forge.open({ ...text, head: 'main', base: 'main', draft: false })
    await expect(opening).rejects.toMatchObject({ code: 'conflict' })
  })

  it('finds what a person has merged', async () => {
    await using world = await createWorld()
    await world.push('work', 'a.md', 'a')
    const opened = await world.forge.open({ ...text, head: 'work', base: 'main', draft: false })
    await world.merge(opened.number)
    expect(await world.forge.read(opened.number)).toEqual({ ...opened, state: 'merged' })
    expect(await world.forge.findByHead('work')).toEqual({ ...opened, state: 'merged' })
  })

  it('finds what a person has closed, and opens another one of the same branch', async () => {
    await using world = await createWorld()
    await world.push('work', 'a.md', 'a')
    const first = await world.forge.open({ ...text, head: 'work', base: 'main', draft: false })
    await world.close(first.number)
    expect(await world.forge.findByHead('work')).toEqual({ ...first, state: 'closed' })
    const second = await world.forge.open({ ...text, head: 'work', base: 'main', draft: false })
    expect(second.number).not.toBe(first.number)
    expect(await world.forge.findByHead('work')).toEqual(second)
    expect(await world.forge.read(first.number)).toMatchObject({ state: 'closed' })
  })

  it('takes a deleted branch for closed', async () => {
    await using world = await createWorld()
    await world.push('work', 'a.md', 'a')
    const { number } = await world.forge.open({ ...text, head: 'work', base: 'main', draft: false })
    await world.deleteBranch('work')
    expect(await world.forge.read(number)).toMatchObject({ state: 'closed' })
  })

  it('lists what is open, the newest first, with what each one touches', async () => {
    await using world = await createWorld()
    for (const head of ['one', 'two', 'three']) {
      await world.push(head, `${head}.md`, head)
      await world.forge.open({ title: head, body: '', head, base: 'main', draft: head === 'two' })
    }
    const [third, second, first] = await world.forge.listOpen()
    expect([third, second, first].map((request) => [request?.title, request?.head])).toEqual([
      ['three', 'three'],
      ['two', 'two'],
      ['one', 'one'],
    ])
    expect(first?.link).toBe((await world.forge.findByHead('one'))?.link)
    await world.close(first?.number ?? 0)
    expect((await world.forge.listOpen()).map(({ title }) => title)).toEqual(['three', 'two'])
    expect(await world.forge.changedPaths(second?.number ?? 0)).toEqual(['two.md'])
    expect(await world.forge.changedPaths(999)).toEqual([])
  })

  it('gives what people said, oldest first, and again only what is new', async () => {
    await using world = await createWorld()
    await world.push('work', 'a.md', 'a')
    const { number } = await world.forge.open({ ...text, head: 'work', base: 'main', draft: false })
    expect(await world.forge.commentsSince(number, undefined)).toEqual([])
    for (const body of ['First', 'Second **point**']) await world.comment(number, body)
    const all = await world.forge.commentsSince(number, undefined)
    expect(all.map(({ body }) => body)).toEqual(['First', 'Second **point**'])
    expect(all[0]).toMatchObject({
      author: expect.any(String),
      createdAt: expect.any(Date),
      trusted: expect.any(Boolean),
    })
    expect(new Set(all.map(({ id }) => id)).size).toBe(2)
    const last = all.at(-1)?.createdAt
    expect((await world.forge.commentsSince(number, last)).at(-1)).toEqual(all.at(-1))
    expect(await world.forge.commentsSince(number, new Date((last?.getTime() ?? 0) + 60_000))).toEqual([])
  })
}
