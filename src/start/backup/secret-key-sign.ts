import { createHmac } from 'node:crypto'

/** Tells whether two secret keys are the same, and nothing about them. */
export function signOf(key: Uint8Array): string {
  return createHmac('sha256', key).update('docwright backup').digest('hex').slice(0, 32)
}
