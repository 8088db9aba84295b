import { expect, it } from 'vitest'
import { AppError } from '../../lib/errors.ts'
import { readPostgresAddress, withParameters } from './address.ts'

it.each([
  ['postgres://db.example.com/docs', [{ host: 'db.example.com', port: undefined }]],
  ['postgresql://db.example.com:6432/docs', [{ host: 'db.example.com', port: 6432 }]],
  ['postgres:///docs?host=/run/postgresql', [{ host: '/run/postgresql', port: undefined }]],
  ['postgres:///docs?host=/run/postgresql&port=5433', [{ host: '/run/postgresql', port: 5433 }]],
  ['postgres://u:p@%2Frun%2Fpostgresql/docs', [{ host: '/run/postgresql', port: undefined }]],
  ['postgres://[::1]:5433/docs', [{ host: '::1', port: 5433 }]],
  ['postgres:///docs', [{ host: undefined, port: undefined }]],
  [
    'postgres://u:p@a:1,b:2,c/docs?target_session_attrs=read-write',
    [
      { host: 'a', port: 1 },
      { host: 'b', port: 2 },
      { host: 'c', port: undefined },
    ],
  ],
  [
    'postgres:///docs?host=a,b&port=6432',
    [
      { host: 'a', port: 6432 },
      { host: 'b', port: 6432 },
    ],
  ],
])('finds the hosts of %s', (address, hosts) => {
  expect(readPostgresAddress(address)).toMatchObject({ hosts, database: 'docs' })
})

it.each(['se#cret', 'a@b', '100%', 'p%zz', 'p:q', 'ümläut', 'a b', '&=+'])(
  'takes the password %s as it is, and escaped',
  (password) => {
    for (const written of [password, encodeURIComponent(password)])
      expect(readPostgresAddress(`postgres://user:${written}@db:5433/docs`)).toMatchObject({
        user: 'user',
        password,
        database: 'docs',
        hosts: [{ host: 'db', port: 5433 }],
      })
  },
)

it.each(['se/cret', '12/3', 'a?b', '12?3', 'x/y@z'])('says how to write the password %s', (password) => {
  const address = `postgres://user:${password}@db/docs`
  expect(() => readPostgresAddress(address)).toThrow(/write \/ as %2F/)
  expect(() => readPostgresAddress(address)).not.toThrow(password)
  const escaped = `postgres://user:${encodeURIComponent(password)}@db/docs`
  expect(readPostgresAddress(escaped).password).toBe(password)
})

it.each([
  ['', 'prefer'],
  ['?sslmode=disable', 'disable'],
  ['?sslmode=allow', 'prefer'],
  ['?sslmode=require', 'require'],
  ['?sslmode=no-verify', 'require'],
  ['?ssl=true', 'require'],
  ['?sslmode=require&sslrootcert=/ca.pem', 'verify-ca'],
  ['?sslmode=verify-full', 'verify-full'],
  ['?sslrootcert=system', 'verify-full'],
])('reads the TLS of %j as libpq does', (query, mode) => {
  expect(readPostgresAddress(`postgres://db/docs${query}`).tls.mode).toBe(mode)
})

it.each([
  ['mysql://db/docs', /must be a postgres:\/\/ address/],
  ['postgres://db/docs?sslmode=on', /use one of disable, prefer/],
  ['postgres://db/docs?sslcert=/a', /both sslcert and sslkey/],
  ['postgres://db/docs?sslmode=require&sslrootcert=system', /verify-full/],
  ['postgres://a,b/docs?target_session_attrs=standby', /use read-write/],
  ['postgres://a,b,c/docs?port=1,2', /3 hosts and 2 ports/],
  ['postgres://a:99999/docs', /port/],
  ['postgres://a/docs?service=x', /write its settings/],
  ['postgres://a/docs?schema=x', /options=-csearch_path%3DNAME/],
])('says what to write instead of %s', (address, message) => {
  expect(() => readPostgresAddress(address)).toThrow(AppError)
  expect(() => readPostgresAddress(address)).toThrow(message)
})

it('adds what variables say for what the address leaves out', () => {
  const more = { sslmode: 'verify-full', sslrootcert: '/own ca.pem', sslcert: undefined }
  expect(withParameters('postgres://db/docs', more)).toBe(
    'postgres://db/docs?sslmode=verify-full&sslrootcert=%2Fown%20ca.pem',
  )
  expect(withParameters('postgres://db/docs?sslmode=disable', more)).toBe(
    'postgres://db/docs?sslmode=disable&sslrootcert=%2Fown%20ca.pem',
  )
})
