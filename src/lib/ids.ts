import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { v7 } from 'uuid'

export type IdPrefix =
  | 'org'
  | 'prj'
  | 'key'
  | 'job'
  | 'trn'
  | 'msg'
  | 'req'
  | 'whk'
  | 'app'
  | 'gap'
  | 'pin'
  | 'cmt'
  | 'per'
  | 'ses'
  | 'inv'
  | 'log'
  | 'clm'
  | 'cht'
  | 'dut'
  | 'aut'
  | 'run'

/** `job_0192…`: sortable by time of creation. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${v7()}`
}

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** `bytes` random bytes in letters and digits, of a fixed length for that many bytes. */
export function randomText(bytes: number): string {
  const length = Math.ceil((bytes * 8) / Math.log2(62))
  let number = BigInt(`0x${randomBytes(bytes).toString('hex')}`)
  let text = ''
  for (let index = 0; index < length; index++) {
    text = base62.charAt(Number(number % 62n)) + text
    number /= 62n
  }
  return text
}

/** How secrets are looked up and kept: never in clear. Hex. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Compares secrets in constant time. */
export function sameSecret(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(a)), Buffer.from(sha256(b)))
}
