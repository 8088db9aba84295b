import { readdir, readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeOnStore } from '../../tests/stores.ts'
import { migrate } from './migrate.ts'

describeOnStore('migrate', (store) => {
  it('has no deadline, as a slow machine or a large table needs longer than any request may', async () => {
    const transaction = () => Promise.reject(new Error('A transaction with a deadline'))
    await store().transaction((tx) =>
      sql`delete from migrations where name = '0084-remote-descriptions.sql'`.execute(tx),
    )
    await store().transaction((tx) => sql`drop table remote_descriptions`.execute(tx))
    await expect(migrate({ ...store(), transaction })).resolves.toEqual(['0084-remote-descriptions.sql'])
  })

  it('changes nothing in a database of a newer version, and says whose it is', async () => {
    await migrate(store())
    await store().transaction((tx) =>
      sql`insert into migrations (name) values ('9999-future.sql')`.execute(tx),
    )
    await expect(migrate(store())).rejects.toThrow(
      'updated by a newer version of Docwright (9999-future.sql): start that version again',
    )
  })
})

it('takes away what the version before uses only where the page about upgrades says so', async () => {
  const root = resolve(import.meta.dirname, '../..')
  const page = await readFile(resolve(root, 'docs/operate/upgrades.mdx'), 'utf8')
  for (const name of await readdir(resolve(root, 'migrations'))) {
    const text = await readFile(resolve(root, 'migrations', name), 'utf8')
    const takesAway = /\b(?:drop (?:column|table)|rename (?:to|column)|set not null)\b/i.test(text)
    expect([name, page.includes(name)]).toEqual([name, takesAway])
  }
})
