import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { AppError } from './errors.ts'

const algorithm = 'aes-256-gcm'
const ivLength = 12
const tagLength = 16

/** What secrets are encrypted with, 32 bytes each: the first one seals, and all of them open. */
export type SecretKey = readonly [current: Uint8Array, ...earlier: Uint8Array[]]

/**
 * Encrypts a secret that must be read again.
 * @param owner what the secret belongs to, such as the id of its row: it opens for that one alone
 */
export function sealSecret([key]: SecretKey, owner: string, secret: string): string {
  const iv = randomBytes(ivLength)
  const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(owner))
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return `1.${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')}`
}

/** @throws AppError `unavailable` when it was sealed with none of the keys, or for another owner */
export function openSecret(keys: SecretKey, owner: string, sealed: string): string {
  let cause: unknown
  for (const key of keys) {
    try {
      return openWith(key, owner, sealed)
    } catch (error) {
      cause = error
    }
  }
  throw new AppError(
    'unavailable',
    'A stored secret cannot be read: it was encrypted with another key. Restore DOCWRIGHT_SECRET_KEY or the file secret-key, or set DOCWRIGHT_SECRET_KEY_PREVIOUS to the previous key',
    { cause },
  )
}

/** What only this server can make of a text, in hexadecimal digits. Begin the text with what it is for. */
export function keyedHash([key]: SecretKey, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex')
}

function openWith(key: Uint8Array, owner: string, sealed: string): string {
  const bytes = Buffer.from(sealed.slice(2), 'base64url')
  const iv = bytes.subarray(0, ivLength)
  const decipher = createDecipheriv(algorithm, key, iv, { authTagLength: tagLength })
  decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(ivLength, ivLength + tagLength))
  return decipher.update(bytes.subarray(ivLength + tagLength), undefined, 'utf8') + decipher.final('utf8')
}
