import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createRepository } from '../../integrations/git/mirrors/create-repository.ts'
import { createGit, type Git } from '../../integrations/git/git.ts'
import { resolveReference } from '../../integrations/git/resolve-reference.ts'
import { openEmbeddedStore, openPostgresStore, type Store } from '../../store/database.ts'
import { createBackupFile, longestLine, type BackupHead } from '../../store/backup/backup-file.ts'
import { dumpTables, type TableLine } from '../../store/backup/dump-tables.ts'
import { migrate } from '../../store/migrate.ts'
import { createTestDatabase } from '../../../tests/prepared-stores.ts'
import { describeOnBothEngines } from '../../../tests/stores.ts'
import { createBackup } from './create-backup.ts'
import { checkBackup, restoreBackup } from './restore-backup.ts'

const key = new Uint8Array(32).fill(7)
let folder: string
let git: Git

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backup-test-'))
  git = await createGit({ dataFolder: folder, environment: process.env })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const report = (): void => undefined
const noKey = { fromEnvironment: undefined, file: '/does/not/exist' }

async function emptyStore(engine: Store['engine']): Promise<Store> {
  return engine === 'postgres'
    ? openPostgresStore(await createTestDatabase())
    : openEmbeddedStore(await mkdtemp(join(folder, 'store-')))
}

async function rowsOf(store: Store): Promise<TableLine[]> {
  return store.longTransaction(async (tx) => {
    const lines: TableLine[] = []
    for await (const line of dumpTables(tx)) lines.push(line)
    return lines
  })
}

describeOnBothEngines('backup and restore', (store) => {
  let repositories: string
  let file: string

  beforeAll(async () => {
    repositories = await mkdtemp(join(folder, 'repositories-'))
    file = join(repositories, 'all.backup')
    await createRepository(git, join(repositories, 'demo.git'), {
      branch: 'main',
      files: [{ path: 'index.md', content: Buffer.from('# Hello\n') }],
      message: 'Begin',
      author: { name: 'A', email: 'a@example.com' },
      date: new Date(0),
    })
    await fill(store(), join(repositories, 'demo.git'))
    await createBackup(
      { store: store(), git, repositories, secretKey: [key] },
      { file, withSecretKey: false, report },
    )
  })

  it.each(['postgres', 'pglite'] as const)(
    'brings every row and repository to an empty %s store',
    async (engine) => {
      const target = await mkdtemp(join(folder, 'target-'))
      await using other = await emptyStore(engine)
      const done = await restoreBackup(
        { store: other, git, repositories: target, secretKey: { fromEnvironment: key, file: '/none' } },
        { file, report },
      )
      expect(done).toMatchObject({ repositories: ['demo.git'], migrations: 0, secretKey: 'same' })
      const moved = (lines: TableLine[]): string => JSON.stringify(lines).replaceAll(repositories, target)
      expect(moved(await rowsOf(other))).toEqual(moved(await rowsOf(store())))
      expect(await resolveReference({ git, folder: join(target, 'demo.git') }, 'refs/heads/main')).toBe(
        await resolveReference({ git, folder: join(repositories, 'demo.git') }, 'refs/heads/main'),
      )
      // Numbers go on after those that were restored.
      await other.transaction((tx) => sql`${search('new')} returning id`.execute(tx))
      expect(await migrate(other)).toEqual([])
    },
  )

  it('leaves out who is signed in, and the key unless it is asked for', async () => {
    const text = gunzipSync(await readFile(file)).toString()
    expect(text).not.toContain('session-hash')
    expect(text).not.toContain(Buffer.from(key).toString('hex'))
    const withKey = join(repositories, 'with-key.backup')
    await createBackup(
      { store: store(), git, repositories, secretKey: [key] },
      { file: withKey, withSecretKey: true, report },
    )
    const target = await mkdtemp(join(folder, 'target-'))
    await using other = await emptyStore(store().engine)
    const keyFile = join(target, 'secret-key')
    const { secretKey } = await restoreBackup(
      { store: other, git, repositories: target, secretKey: { fromEnvironment: undefined, file: keyFile } },
      { file: withKey, report },
    )
    expect(secretKey).toBe('restored')
    expect(await readFile(keyFile, 'utf8')).toBe(Buffer.from(key).toString('hex'))
  })

  it('restores nothing of a file that was changed or cut off, and nothing into a store that is in use', async () => {
    const lines = gunzipSync(await readFile(file))
      .toString()
      .split('\n')
    const changed = join(repositories, 'changed.backup')
    await writeFile(changed, gzipSync(lines.join('\n').replace('Where is it?', 'Where was it?')))
    const cut = join(repositories, 'cut.backup')
    await writeFile(cut, gzipSync(lines.slice(0, -2).join('\n')))
    const escaping = join(repositories, 'escaping.backup')
    const head = JSON.parse(lines[0] ?? '') as BackupHead
    const writer = await createBackupFile(escaping, head)
    await writer.write({ repository: '..', head: 'refs/heads/main', bytes: 0 })
    await writer.end()
    const long = join(repositories, 'long.backup')
    const mebibyte = gzipSync(Buffer.alloc(1024 * 1024, 'x'))
    await writeFile(long, Buffer.concat(Array<Buffer>(longestLine / 1024 / 1024 + 1).fill(mebibyte)))
    const target = await mkdtemp(join(folder, 'target-'))
    await using other = await emptyStore(store().engine)
    const restore = (from: string, into: Store): Promise<unknown> =>
      restoreBackup({ store: into, git, repositories: target, secretKey: noKey }, { file: from, report })
    await expect(restore(changed, other)).rejects.toThrow('its checksum is wrong')
    await expect(restore(cut, other)).rejects.toThrow('is cut off')
    await expect(checkBackup(escaping)).rejects.toThrow('has a line that cannot be read')
    await expect(checkBackup(long)).rejects.toThrow('has a line that is too long')
    await expect(checkBackup(cut)).rejects.toThrow('is cut off')
    await expect(restore(file, store())).rejects.toThrow('The database isn’t empty')
    expect(await readdir(target)).toEqual([])
    expect(await restore(file, other)).toMatchObject({ secretKey: 'missing' })
  })
})

function search(query: string) {
  return sql`insert into searches (project_id, query, results, confidence, caller, milliseconds)
    values ('prj_1', ${query}, 1, 0.5, 'api', 3)`
}

// A row of each sort: text with every sign, JSON, bytes, numbers, times, nothing.
async function fill(store: Store, location: string): Promise<void> {
  await store.transaction(async (tx) => {
    await sql`insert into organizations (id, name, is_default) values ('org_1', 'Line\nbreak "quoted" \\ ünï 🎉', true)`.execute(
      tx,
    )
    await sql`insert into projects (id, organization_id, domain, kind, location, ref, root)
      values ('prj_1', 'org_1', 'demo', 'path', ${location}, 'main', '')`.execute(tx)
    await sql`insert into sessions (hash, id, csrf_token, expires_at) values ('session-hash', 'ses_1', 'c', now())`.execute(
      tx,
    )
    await sql`insert into section_vectors (project_id, hash, model, scale, numbers)
      values ('prj_1', 'h', 'm', 0.1234567890123456, ${Buffer.from([0, 1, 255])})`.execute(tx)
    await sql`insert into threads (project_id, id, minted) values ('prj_1', 't', true)`.execute(tx)
    for (let n = 0; n < 300; n++) await search(`Where is it? ${n}`).execute(tx)
  })
}
