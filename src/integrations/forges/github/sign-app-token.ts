import { createPrivateKey, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { AppError } from '../../../lib/errors.ts'

/**
 * The short-lived token that an app proves itself with: a JWT signed by its private key.
 * @param now by GitHub's clock, as far as it is known
 * @throws AppError `invalid` for a key that cannot be read
 */
export function signAppToken(
  { appId, privateKey }: { appId: string; privateKey: string },
  now: Date,
): string {
  const seconds = Math.floor(now.getTime() / 1000)
  // Ten minutes are the most that GitHub takes; both ends leave room for clocks that differ.
  const claims = { iat: seconds - 60, exp: seconds + 480, iss: appId.trim() }
  const text = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}`
  return `${text}.${sign('sha256', Buffer.from(text), readKey(privateKey)).toString('base64url')}`
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function readKey(privateKey: string): KeyObject {
  try {
    // Line ends are often written as \n in variables.
    const key = createPrivateKey(privateKey.replaceAll(String.raw`\n`, '\n').trim())
    if (key.asymmetricKeyType === 'rsa') return key
  } catch {
    // What it says may quote the key.
  }
  throw new AppError(
    'invalid',
    'The private key of the GitHub App cannot be read: give the whole .pem file that GitHub made for it',
  )
}
