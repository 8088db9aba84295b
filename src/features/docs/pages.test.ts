import { expect, it } from 'vitest'
import { describeOnStore } from '../../../tests/stores.ts'
import { newId } from '../../lib/ids.ts'
import { namedPages, someTitles, writePages } from './pages.ts'

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
        ] as const
        await writePages(
          tx,
          project,
          pages.map(([path, url, title, language]) => ({
            page: { path, url, title, groups: [], sections: [], ...plain, language },
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

  it('show titles in the language of most of them', async () => {
    expect(await someTitles(store().db, await insertPages())).toEqual([
      'API',
      'Install it',
      'Retries and limits',
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
