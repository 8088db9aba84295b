import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEmbeddedStore } from '../database.ts'
import { unpackCluster } from './unpack-cluster.ts'

describe('an embedded store that is not there yet', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'docwright-cluster-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('begins with a cluster of the very PGlite that is installed', async () => {
    const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite')
    const { version } = JSON.parse(await readFile(join(dirname(entry), '../package.json'), 'utf8')) as {
      version: string
    }
    const archives = (await readdir(import.meta.dirname)).filter((name) => name.endsWith('.tar.br'))
    // After an upgrade: delete the old one, run scripts/prepare-cluster.ts, and name the new one in unpack-cluster.ts.
    expect(archives).toEqual([`cluster-${version}.tar.br`])
  })

  it('is whole, whatever was left of an attempt that was killed, and stays as it is afterwards', async () => {
    const store = join(folder, 'store', 'pglite')
    await mkdir(`${store}.new/base`, { recursive: true })
    await writeFile(`${store}.new/PG_VERSION`, 'half')
    await using opened = await openEmbeddedStore(store)
    await opened.transaction((tx) => tx.schema.createTable('kept').addColumn('id', 'integer').execute())
    expect(await readdir(dirname(store))).toEqual(['pglite'])
    const before = await readFile(join(store, 'global/pg_control'))
    await unpackCluster(store)
    expect(await readFile(join(store, 'global/pg_control'))).toEqual(before)
  })
})
