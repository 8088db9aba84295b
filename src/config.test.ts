import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readConfig } from './config.ts'

it('has a default for everything', () => {
  expect(readConfig({})).toMatchObject({
    host: '127.0.0.1',
    port: undefined,
    model: 'builtin',
    databaseUrl: undefined,
  })
})

it('says all problems at once, each with its variable', () => {
  let message = ''
  try {
    readConfig({
      PORT: 'many',
      DATABASE_URL: 'mysql://x',
      LOG_LEVEL: 'loud',
      DOCWRIGHT_ADMIN_KEY: 'svc_dsc_short',
    })
  } catch (error) {
    message = String(error)
  }
  for (const name of ['PORT', 'DATABASE_URL', 'LOG_LEVEL', 'DOCWRIGHT_ADMIN_KEY'])
    expect(message).toContain(name)
})

it('adds the variables of libpq to the address of the database', () => {
  const address = 'postgres://u:p@db.example/x?sslmode=require'
  expect(
    readConfig({ DATABASE_URL: address, PGSSLMODE: 'disable', PGSSLROOTCERT: '/ca.pem' }).databaseUrl,
  ).toBe(`${address}&sslrootcert=%2Fca.pem`)
  expect(readConfig({ PGSSLROOTCERT: '/ca.pem' }).databaseUrl).toBeUndefined()
  expect(() => readConfig({ DATABASE_URL: address, PGSSLCERT: '/client.pem' })).toThrow(
    'DATABASE_URL with PGSSLMODE, PGSSLROOTCERT, PGSSLCERT and PGSSLKEY needs both sslcert and sslkey',
  )
  expect(() => readConfig({ DATABASE_URL: 'postgres://u:a/b@db/x' })).toThrow(
    /^DATABASE_URL cannot be read\. .*write \/ as %2F/,
  )
})

it('reads a value from the file that NAME_FILE names', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'docwright-config-')), 'url')
  await writeFile(file, 'postgres://u:p@db.example/x\n')
  expect(readConfig({ DATABASE_URL_FILE: file }).databaseUrl).toBe('postgres://u:p@db.example/x')
  expect(() => readConfig({ DATABASE_URL_FILE: '/no/such/file' })).toThrow(
    'DATABASE_URL_FILE names /no/such/file',
  )
})

it('takes keys for assistants as pairs', () => {
  const key = `svc_dsc_${'a'.repeat(43)}`
  expect(readConfig({ DOCWRIGHT_ASSISTANT_KEYS: `docs=${key}` }).assistantKeys).toEqual([
    { domain: 'docs', key },
  ])
  expect(() => readConfig({ DOCWRIGHT_ASSISTANT_KEYS: 'docs=svc_short' })).toThrow('DOCWRIGHT_ASSISTANT_KEYS')
})

it('takes a public URL with a path that is written alike everywhere', () => {
  for (const [given, url] of [
    ['https://docs.example.com/', 'https://docs.example.com'],
    ['http://localhost:4000', 'http://localhost:4000'],
    ['https://example.com/docwright/', 'https://example.com/docwright'],
    ['https://example.com/tools/doc.wright_2~x-y', 'https://example.com/tools/doc.wright_2~x-y'],
  ] as const)
    expect([given, readConfig({ DOCWRIGHT_PUBLIC_URL: given }).publicUrl]).toEqual([given, url])
  for (const path of ['?x=1', '#x', '/a%20b', '/a//b', '/a/../b', '/.', '/a;b', '/ä', '/a"b'])
    expect(() => readConfig({ DOCWRIGHT_PUBLIC_URL: `https://example.com${path}` })).toThrow(
      'DOCWRIGHT_PUBLIC_URL',
    )
})
