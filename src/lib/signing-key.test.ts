import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateKeyPairSync } from 'node:crypto'
import { expect, it } from 'vitest'
import { readSigningKey } from './signing-key.ts'

const folder = mkdtempSync(join(tmpdir(), 'docwright-key-'))
const make = (name: string, ...args: string[]): string => {
  const file = join(folder, name)
  execFileSync('ssh-keygen', ['-q', '-f', file, '-C', 'docs@example.com', ...args])
  return file
}

it.each([
  ['ed25519', ['-t', 'ed25519', '-N', '']],
  ['rsa', ['-t', 'rsa', '-b', '3072', '-N', '']],
  ['rsa-pem', ['-t', 'rsa', '-b', '2048', '-m', 'PEM', '-N', '']],
])('signs with a key of the kind %s as ssh-keygen does', (name, args) => {
  const file = make(name, ...args)
  const key = readSigningKey(readFileSync(file, 'utf8').trim())
  expect(readFileSync(`${file}.pub`, 'utf8')).toContain(key.publicKey)
  expect(execFileSync('ssh-keygen', ['-lf', `${file}.pub`], { encoding: 'utf8' })).toContain(key.fingerprint)
  const data = Buffer.from('tree 1\n\nText\n')
  const signature = key.sign(data, 'git')
  expect(key.sign(data, 'git')).toBe(signature)
  const theirs = execFileSync('ssh-keygen', ['-q', '-Y', 'sign', '-n', 'git', '-f', file], {
    input: data,
    encoding: 'utf8',
  })
  expect(`${signature}\n`).toBe(theirs)
})

it('takes keys as other tools write them', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const pem = String(privateKey.export({ format: 'pem', type: 'pkcs8' }))
  const raw = publicKey.export({ format: 'jwk' }).x ?? ''
  expect(Buffer.from(readSigningKey(pem).publicKey.split(' ')[1] ?? '', 'base64').subarray(-32)).toEqual(
    Buffer.from(raw, 'base64url'),
  )
})

it('says why a key cannot be used', () => {
  const locked = readFileSync(make('locked', '-t', 'ed25519', '-N', 'secret'), 'utf8')
  expect(() => readSigningKey(locked)).toThrow('has a passphrase')
  expect(() => readSigningKey(readFileSync(make('curve', '-t', 'ecdsa', '-N', ''), 'utf8'))).toThrow(
    'ed25519',
  )
  const open = make('open', '-t', 'ed25519', '-N', '')
  expect(() => readSigningKey(readFileSync(`${open}.pub`, 'utf8'))).toThrow('must be a private key')
  const text = readFileSync(open, 'utf8')
  for (const cut of [40, 80, 120, 200, 300])
    expect(() => readSigningKey(`${text.slice(0, cut)}\n-----END OPENSSH PRIVATE KEY-----`)).toThrow(
      'must be a private key',
    )
})
