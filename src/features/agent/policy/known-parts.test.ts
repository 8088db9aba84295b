import { describe, expect, it } from 'vitest'
import { KnownParts } from './known-parts.ts'

/** A tree of texts, whose parts are the words behind `<`; notes which files are parsed and which are read. */
function treeOf(files: Readonly<Record<string, string>>) {
  const parsed: string[] = []
  const read: string[] = []
  const known = new KnownParts(Object.keys(files), {
    readSome: async (paths) => {
      read.push(...paths)
      return paths.map((path) => Buffer.from(files[path] ?? ''))
    },
    namesIn: async (path, content) => {
      parsed.push(path)
      return [...content.toString().matchAll(/<(\w+)/g)].map(([, name]) => `page component ${name}`)
    },
    remembered: () => undefined,
    kindOf: (path) => (path.endsWith('.md') ? 'page' : 'data'),
    textOf: (content) => Buffer.from(content).toString(),
  })
  return { known, parsed, read }
}

const many = Object.fromEntries(
  Array.from({ length: 1200 }, (_, index) => [
    `docs/${index % 40}/page-${index}.md`,
    `Text <Card${index} />\n`,
  ]),
)

describe('the parts that a tree has', () => {
  it('are looked up in the files that have their words, and in no other', async () => {
    const { known, parsed } = treeOf(many)
    expect(await known.has(['page component Card700'], 'docs/1/new.md', 'Card700')).toBe(true)
    expect(await known.has(['page component Chart'], 'docs/1/new.md', 'Chart')).toBe(false)
    expect(parsed).toEqual(['docs/20/page-700.md'])
  })

  it('cost one reading of each file, however many names are unknown', async () => {
    const { known, read } = treeOf(many)
    for (let index = 0; index < 50; index++)
      expect(await known.has([`page component Other${index}`], `docs/${index}/new.md`, `Other${index}`)).toBe(
        false,
      )
    expect(read).toHaveLength(1200)
  })

  it('are looked up in all files of the kind where nothing is known to stand beside them', async () => {
    const { known, parsed } = treeOf({ 'a.md': '<One />', 'b.md': '<Two />', 'c.yaml': '<Three' })
    expect(await known.has(['page component Four'], 'new.md')).toBe(false)
    expect(parsed.toSorted()).toEqual(['a.md', 'b.md'])
  })

  it('are found near first', async () => {
    const { known, read } = treeOf({ ...many, 'docs/7/near.md': '<Near />' })
    expect(await known.has(['page component Near'], 'docs/7/new.md', 'Near')).toBe(true)
    expect(read.length).toBeLessThan(100)
  })
})
