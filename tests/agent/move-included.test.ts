import { describe, expect, it } from 'vitest'
import { includingSites } from './included-sites.ts'
import { openTree } from './open-tree.ts'

const linksOf = (tools: Awaited<ReturnType<typeof openTree>>) =>
  tools
    .call('check', { onlyNew: true })
    .then(({ problems }) =>
      (problems as { check: string; href?: string }[]).flatMap(({ check, href }) =>
        check === 'link' || check === 'anchor' ? [href] : [],
      ),
    )

describe.each(Object.entries(includingSites))('texts that pages of %s include', (_, site) => {
  const { tree, other, part, page, target } = site

  it('lead nowhere new when the page moves', async () => {
    const tools = await openTree(tree)
    await tools.call('move_page', page)
    expect(await linksOf(tools)).toEqual([])
  })

  it('follow a page that they lead to', async () => {
    for (const files of [tree, { ...tree, ...other }]) {
      const tools = await openTree(files)
      await tools.call('move_page', target)
      expect(await tools.text(part)).toContain('ref/deep/t')
      expect(await linksOf(tools)).toEqual([])
    }
  })

  it('are right from both pages, or named', async () => {
    const tools = await openTree({ ...tree, ...other })
    const { notUpdated = [] } = await tools.call('move_page', page)
    const dead = await linksOf(tools)
    expect((notUpdated as { text: string }[]).map(({ text }) => text)).toEqual(expect.arrayContaining(dead))
  })
})
