import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeOnStore } from '../../tests/stores.ts'
import { migrate } from './migrate.ts'

describeOnStore('migrate', (store) => {
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
