import { expect, it } from 'vitest'
import { describeOnStore } from '../../../tests/stores.ts'
import { newId } from '../../lib/ids.ts'
import { descriptionsOf, findPage, namedPages, someTitles, writePages } from './pages.ts'

describeOnStore('stored pages', (store) => {
  const insertPages = async () => {
    const plain = { description: undefined, language: undefined, version: undefined, hidden: false }
    const [id, other] = [newId('prj'), newId('prj')]
    await store().transaction(async (tx) => {
      const organization_id = newId('org')
      await tx.insertInto('organizations').values({ id: organization_id, name: 'Test' }).execute()
      for (const project of [id, other]) {
        const place = { kind: 'path' as const, location: '/srv', ref: 'main', root: '' }
        await tx
          .insertInto('projects')
          .values({ id: project, organization_id, domain: project.slice(-12), ...place })
          .execute()
        const pages = [
          ['guides/install.md', '/guides/install', 'Install it'],
          ['api.md', '/api', 'API'],
          ['retry.md', '/retrying', 'Retries and limits'],
          ['an/de.md', '/an', 'Auf Deutsch', 'de'],
          ['guides/index.md', '/guides/', 'Index', 'fr'],
          ['docs/guides/install.md', '/docs/guides/install.html', 'Of files', 'ja'],
          ['api.yaml#GET /a?b', '/~api/get-a', 'An operation', 'ko'],
        ] as const
        await writePages(
          tx,
          project,
          pages.map(([path, url, title, language]) => ({
            page: {
              path,
              url,
              title,
              groups: [],
              sections: [],
              ...plain,
              language,
              description: path === 'api.md' ? 'y'.repeat(600) : undefined,
            },
            oid: path,
            included: {},
            content: '',
          })),
          [],
        )
      }
    })
    return id
  }

  it.each([
    ['guides/install', 'guides/install.md'],
    ['guides/install.md', 'guides/install.md'],
    ['https://docs.example.com/docs/guides/install#a', 'guides/install.md'],
    // What is spelled comes before what lies below the path of a site.
    ['/docs/guides/install', 'docs/guides/install.md'],
    ['/docs/guides/install.html', 'docs/guides/install.md'],
    ['/docs/api', 'api.md'],
    ['guides', 'guides/index.md'],
    ['guides/index.html', 'guides/index.md'],
    ['api.yaml#GET /a?b', 'api.yaml#GET /a?b'],
    ['~api/get-a', 'api.yaml#GET /a?b'],
    ['nothing', undefined],
    ['https://elsewhere.example/docs/api', undefined],
  ])('are found as %s', async (name, path) => {
    const id = await insertPages()
    expect((await findPage(store().db, id, name, ['https://docs.example.com/docs']))?.path).toBe(path)
  })

  it('have descriptions of a bounded length', async () => {
    const found = await descriptionsOf(store().db, await insertPages(), ['api.md', 'retry.md', 'none.md'])
    expect([...found]).toEqual([['api.md', 'y'.repeat(500)]])
  })

  it('show titles in the language of most of them', async () => {
    expect(await someTitles(store().db, await insertPages())).toEqual([
      'API',
      'Retries and limits',
      'Install it',
    ])
  })

  it('that a text names are found by path, address and title, in this project alone', async () => {
    const id = await insertPages()
    const named = (text: string, limit = 10) => namedPages(store().db, id, text, limit)
    expect(await named('Fix Guides/Install.md and “retries and limits”')).toEqual([
      'guides/install.md',
      'retry.md',
    ])
    expect(await named('https://docs.example/retrying#x')).toEqual(['retry.md'])
    // A short title is a word like others.
    expect(await named('Say more of the API\0 %_')).toEqual([])
    expect(await named('guides/install.md retry.md', 1)).toEqual(['guides/install.md'])
  })
})
