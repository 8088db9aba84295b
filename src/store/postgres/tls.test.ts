import { execFileSync } from 'node:child_process'
import { chownSync, statSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newPostgres, type PostgresServer } from '../../../tests/postgres-server.ts'
// Makes this a file of the kind that has a PostgreSQL.
import '../../../tests/stores.ts'
import { openPostgresStore } from '../database.ts'

let server: PostgresServer
let admin: Client
const file = (name: string): string => join(server.data, name)

describe('a server with a certificate of an authority of its own', () => {
  beforeAll(async () => {
    server = await newPostgres()
    makeCertificates()
    admin = new Client({ connectionString: server.url })
    await admin.connect()
    await settings({
      ssl: 'on',
      ssl_ca_file: 'ca.crt',
      ssl_cert_file: 'server.crt',
      ssl_key_file: 'server.key',
    })
    await admin.query(`create user certified superuser; create user plain superuser password 'x'`)
    const rules = await readFile(file('pg_hba.conf'), 'utf8')
    await writeFile(
      file('pg_hba.conf'),
      `hostssl all certified all cert\nhostssl all plain all password\nlocal all refused reject\nhost all refused all reject\n${rules}`,
    )
    await settings({})
  })
  afterAll(async () => {
    await admin?.end()
    await server?.remove()
  })

  it.each([
    ['no mode', '', true],
    ['disable', 'sslmode=disable', false],
    ['prefer', 'sslmode=prefer', true],
    ['require', 'sslmode=require', true],
  ])('connects as libpq does with %s', async (_, query, isEncrypted) => {
    expect(await encryption(address({ query }))).toBe(isEncrypted)
  })

  it('checks the authority with verify-ca, and the name of the host too with verify-full', async () => {
    const root = `sslrootcert=${file('ca.crt')}`
    for (const [host, mode] of [
      ['127.0.0.1', `sslmode=require&${root}`],
      ['127.0.0.1', `sslmode=verify-ca&${root}`],
      ['localhost', `sslmode=verify-full&${root}`],
    ] as const)
      expect(await encryption(address({ host, query: mode }))).toBe(true)
    expect(await failure(address({ query: 'sslmode=verify-full' }))).toMatch(
      /certificate that is not trusted: .*name the file of its authority with sslrootcert/,
    )
    expect(await failure(address({ query: 'sslmode=verify-ca' }))).toMatch(/not trusted/)
    expect(await failure(address({ host: '127.0.0.1', query: `sslmode=verify-full&${root}` }))).toMatch(
      /certificate of another host: .*127\.0\.0\.1.*use a name of the certificate/,
    )
  })

  it('names the file that is missing', async () => {
    const missing = `sslrootcert=${file('none.crt')}`
    expect(await failure(address({ query: `sslmode=verify-full&${missing}` }))).toMatch(
      /^The file of sslrootcert, .*none\.crt, cannot be read: ENOENT/,
    )
    const pair = `sslcert=${file('none.crt')}&sslkey=${file('client.key')}`
    expect(await failure(address({ query: pair }))).toMatch(/^The file of sslcert, .*none\.crt/)
  })

  it('shows the certificate of the client, and says so when one is missing or wrong', async () => {
    const own = `sslcert=${file('client.crt')}&sslkey=${file('client.key')}`
    expect(await encryption(address({ user: 'certified', query: own }))).toBe(true)
    expect(await failure(address({ user: 'certified' }))).toMatch(
      /valid client certificate.*; name a certificate of this user and its key with sslcert and sslkey/,
    )
    const others = `sslcert=${file('stranger.crt')}&sslkey=${file('client.key')}`
    expect(await failure(address({ user: 'certified', query: others }))).toMatch(
      /refuses TLS with this client: .*; look at the certificate that sslcert names/,
    )
  })

  it('names pg_hba.conf', async () => {
    expect(await failure(address({ user: 'refused' }))).toMatch(/pg_hba\.conf rejects .*; add a line/)
    await writeFile(file('pg_hba.conf'), 'hostssl all all all trust\n')
    await settings({})
    expect(await failure(address({ query: 'sslmode=disable' }))).toMatch(
      /no pg_hba\.conf entry .*no encryption; .*write sslmode=require/,
    )
    expect(await encryption(address({}))).toBe(true)
  })

  it('says that a server offers no TLS, and does without where the mode allows it', async () => {
    await writeFile(file('pg_hba.conf'), 'host all all all trust\n')
    await settings({ ssl: 'off' })
    expect(await failure(address({ query: 'sslmode=require' }))).toMatch(/offers no TLS/)
    expect(await encryption(address({}))).toBe(false)
  })
})

function address({ user = 'postgres', host = '127.0.0.1', query = '' }): string {
  const { port } = new URL(server.url)
  return `postgres://${user}:postgres@${host}:${port}/postgres?${query}`
}

async function encryption(url: string): Promise<boolean | undefined> {
  await using store = await openPostgresStore(url)
  const { rows } = await sql<{
    ssl: boolean
  }>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`.execute(store.db)
  return rows[0]?.ssl
}

async function failure(url: string): Promise<string> {
  try {
    await using _store = await openPostgresStore(url)
    return 'connected'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

async function settings(changed: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(changed))
    await admin.query(`alter system set ${name} = '${value}'`)
  const { rows } = await admin.query<{ before: Date }>('select pg_conf_load_time() as before')
  await admin.query('select pg_reload_conf()')
  // Connections that begin after this see the new settings: so does this one, once it reads them.
  for (;;) {
    const now = await admin.query<{ now: Date }>('select pg_conf_load_time() as now')
    if (now.rows[0]?.now.getTime() !== rows[0]?.before.getTime()) return
  }
}

function makeCertificates(): void {
  const openssl = (...words: string[]): unknown =>
    execFileSync('openssl', words, { cwd: server.data, stdio: 'pipe' })
  const names = { ca: 'Own CA', other: 'Other CA', server: 'localhost', client: 'certified' }
  for (const authority of ['ca', 'other'] as const)
    openssl(
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-subj',
      `/CN=${names[authority]}`,
      '-keyout',
      `${authority}.key`,
      '-out',
      `${authority}.crt`,
    )
  for (const one of ['server', 'client'] as const) {
    openssl(
      'req',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-subj',
      `/CN=${names[one]}`,
      '-addext',
      `subjectAltName=DNS:${names[one]}`,
      '-keyout',
      `${one}.key`,
      '-out',
      `${one}.csr`,
    )
    openssl(
      'x509',
      '-req',
      '-in',
      `${one}.csr`,
      '-CA',
      'ca.crt',
      '-CAkey',
      'ca.key',
      '-CAcreateserial',
      '-days',
      '2',
      '-copy_extensions',
      'copy',
      '-out',
      `${one}.crt`,
    )
  }
  openssl(
    'x509',
    '-req',
    '-in',
    'client.csr',
    '-CA',
    'other.crt',
    '-CAkey',
    'other.key',
    '-CAcreateserial',
    '-days',
    '2',
    '-out',
    'stranger.crt',
  )
  // The server runs as another user where this is root, and insists on a key of its own.
  const { uid, gid } = statSync(server.data)
  for (const name of ['server.key', 'server.crt', 'ca.crt']) chownSync(file(name), uid, gid)
}
