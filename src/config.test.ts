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
