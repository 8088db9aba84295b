import { describe, expect, it } from 'vitest'
import { openBaseSite } from '../src/features/agent/policy/base-site.ts'
import { checkContent } from '../src/features/agent/policy/check-content.ts'
import { openTree } from './agent/open-tree.ts'
import { withOtherWords } from './copied-pages/other-words.ts'
import { sites } from './copied-pages/sites.ts'

// A page that stands in a site may stand in it again, and say other things: nothing of it is new.

const page = /\.(?:md|mdx|rst|adoc)$/

async function judge(tree: Readonly<Record<string, string>>, root: string, change: (text: string) => string) {
  const opened = await openTree(tree, { root })
  const site = await openBaseSite(opened.workspace, opened.baseView)
  const found = []
  for (const [path, text] of Object.entries(tree)) {
    if (!page.test(path) || !path.startsWith(root)) continue
    const copy = path.replace(/\.\w+$/, '-again$&')
    const after = Buffer.from(change(text))
    for (const { line, message } of await checkContent([{ path: copy, before: undefined, after }], site))
      found.push(`${path}:${line} ${message}`)
  }
  return found
}

describe.each(Object.entries(sites))('a copy of every page of %s', (_, { root, tree }) => {
  it('is not refused, and nothing of it is to be looked at', async () => {
    expect(await judge(tree, root, (text) => text)).toEqual([])
  })

  it('is not with other texts and labels either', async () => {
    expect(await judge(tree, root, withOtherWords)).toEqual([])
  })
})
