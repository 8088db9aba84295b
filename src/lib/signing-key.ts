import {
  createHash,
  createPrivateKey,
  createPublicKey,
  sign,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto'
import { AppError } from './errors.ts'

/** A private key that signs as `ssh-keygen -Y sign` does. The key itself cannot be read out of it. */
export interface SigningKey {
  /** The public key in one line, as hosts and files of allowed signers take it: `ssh-ed25519 AAAA…`. */
  readonly publicKey: string
  /** `SHA256:…` of the public key, as `ssh-keygen -l` prints it. */
  readonly fingerprint: string
  /**
   * An SSH signature in armor, without a line break at its end. The same bytes always get the same signature.
   * @param namespace what is signed; `git` for commits
   */
  sign(data: Uint8Array, namespace: string): string
}

/**
 * Reads an Ed25519 or RSA key without a passphrase, in the format of OpenSSH or as PEM. Keys of these kinds give the
 * same signature each time, so that a commit that is made again has the same id.
 * @throws AppError `invalid` that says what to give instead
 */
export function readSigningKey(text: string): SigningKey {
  const key = text.includes('BEGIN OPENSSH PRIVATE KEY') ? readOpenSsh(text) : readPem(text)
  const type = key.asymmetricKeyType
  if (type !== 'ed25519' && type !== 'rsa') throw wrongKind(type ?? 'unknown')
  const blob = publicBlob(key)
  const name = type === 'rsa' ? 'ssh-rsa' : 'ssh-ed25519'
  return {
    publicKey: `${name} ${blob.toString('base64')}`,
    fingerprint: `SHA256:${createHash('sha256')
      .update(blob)
      .digest('base64')
      .replace(/={1,2}$/, '')}`,
    sign: (data, namespace) => armored(signature(key, blob, data, namespace)),
  }
}

/** The format of PROTOCOL.sshsig of OpenSSH. */
function signature(key: KeyObject, blob: Buffer, data: Uint8Array, namespace: string): Buffer {
  const isRsa = key.asymmetricKeyType === 'rsa'
  const head = [field(namespace), field(''), field('sha512')]
  const hash = createHash('sha512').update(data).digest()
  const signed = Buffer.concat([Buffer.from('SSHSIG'), ...head, field(hash)])
  const raw = sign(isRsa ? 'sha512' : null, signed, key)
  const version = Buffer.from([0, 0, 0, 1])
  const inner = Buffer.concat([field(isRsa ? 'rsa-sha2-512' : 'ssh-ed25519'), field(raw)])
  return Buffer.concat([Buffer.from('SSHSIG'), version, field(blob), ...head, field(inner)])
}

function armored(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,70}/g) ?? []
  return ['-----BEGIN SSH SIGNATURE-----', ...lines, '-----END SSH SIGNATURE-----'].join('\n')
}

function readPem(text: string): KeyObject {
  try {
    return createPrivateKey(text)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MISSING_PASSPHRASE')
      throw encrypted()
    throw unreadable()
  }
}

/** The format of PROTOCOL.key of OpenSSH. */
function readOpenSsh(text: string): KeyObject {
  const [, body = ''] = /-----BEGIN OPENSSH PRIVATE KEY-----([^-]+)-----END/.exec(text) ?? []
  const bytes = Buffer.from(body, 'base64')
  const magic = 'openssh-key-v1\0'
  if (bytes.toString('latin1', 0, magic.length) !== magic) throw unreadable()
  const outer = reader(bytes.subarray(magic.length))
  const cipher = outer.text()
  if (cipher !== 'none') throw encrypted()
  outer.bytes()
  outer.bytes()
  outer.skip(4)
  outer.bytes()
  const inner = reader(outer.bytes())
  inner.skip(8)
  const type = inner.text()
  if (type === 'ssh-ed25519') {
    const x = inner.bytes()
    const d = inner.bytes().subarray(0, 32)
    return fromJwk({ kty: 'OKP', crv: 'Ed25519', x: x.toString('base64url'), d: d.toString('base64url') })
  }
  if (type !== 'ssh-rsa') throw wrongKind(type)
  const [n, e, d, qi, p, q] = [1, 2, 3, 4, 5, 6].map(() => inner.bytes())
  if (!n || !e || !d || !qi || !p || !q) throw unreadable()
  const rest = (prime: Buffer): string => base64url(bytesOf(number(d) % (number(prime) - 1n)))
  return fromJwk({
    kty: 'RSA',
    n: base64url(n),
    e: base64url(e),
    d: base64url(d),
    p: base64url(p),
    q: base64url(q),
    dp: rest(p),
    dq: rest(q),
    qi: base64url(qi),
  })
}

function fromJwk(jwk: JsonWebKey): KeyObject {
  try {
    return createPrivateKey({ key: jwk, format: 'jwk' })
  } catch {
    throw unreadable()
  }
}

function publicBlob(key: KeyObject): Buffer {
  const { x, n, e } = createPublicKey(key).export({ format: 'jwk' })
  const decoded = (text: string | undefined) => Buffer.from(text ?? '', 'base64url')
  return key.asymmetricKeyType === 'rsa'
    ? Buffer.concat([field('ssh-rsa'), field(positive(decoded(e))), field(positive(decoded(n)))])
    : Buffer.concat([field('ssh-ed25519'), field(decoded(x))])
}

/** A byte of zero before a number whose first bit would make it negative. */
function positive(bytes: Buffer): Buffer {
  return (bytes[0] ?? 0) > 0x7f ? Buffer.concat([Buffer.from([0]), bytes]) : bytes
}

function field(value: string | Uint8Array): Buffer {
  const bytes = Buffer.from(value)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

function reader(bytes: Buffer) {
  let at = 0
  const next = (): Buffer => {
    if (at + 4 > bytes.length) throw unreadable()
    const length = bytes.readUInt32BE(at)
    const end = at + 4 + length
    if (end > bytes.length) throw unreadable()
    const value = bytes.subarray(at + 4, end)
    at = end
    return value
  }
  return { bytes: next, text: () => next().toString('latin1'), skip: (count: number) => void (at += count) }
}

function base64url(bytes: Buffer): string {
  return (bytes[0] === 0 ? bytes.subarray(1) : bytes).toString('base64url')
}

function number(bytes: Buffer): bigint {
  return BigInt(`0x${bytes.toString('hex')}`)
}

function bytesOf(value: bigint): Buffer {
  const hex = value.toString(16)
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
}

function encrypted(): AppError {
  return new AppError('invalid', 'has a passphrase. Create a key without one')
}

function wrongKind(kind: string): AppError {
  return new AppError(
    'invalid',
    `is a key of the kind ${kind}. Create an Ed25519 key with "ssh-keygen -t ed25519"`,
  )
}

function unreadable(): AppError {
  return new AppError('invalid', 'must be a private key as "ssh-keygen -t ed25519" writes it')
}
