import { createRemoteJWKSet, errors, jwtVerify, type JWTVerifyOptions, type JWTVerifyResult } from 'jose'
import { AppError, messageOf } from '../../lib/errors.ts'
import { keepNewest } from '../../lib/keep-newest.ts'
import type { Call } from './platform.ts'

/** Seconds by which the clocks may differ. */
const skew = 300

export type Keys = ReturnType<typeof createRemoteJWKSet>
/** By the address that tells them, or tells where they are. They are asked for anew when a key is not among them. */
const known = new Map<string, Keys>()

/** @param find where the keys are, when their address is not the one that is known */
export async function keysAt(
  address: string,
  find: () => Promise<string> = () => Promise.resolve(address),
): Promise<Keys> {
  const before = known.get(address)
  if (before) return before
  const keys = createRemoteJWKSet(new URL(await find()))
  keepNewest(known, 8, address, keys)
  return keys
}

/** The token that a call shows. */
export function bearerOf({ headers }: Call): string | undefined {
  return /^Bearer ([\w.-]{1,8000})$/.exec(headers.get('authorization') ?? '')?.[1]
}

/**
 * What a token says that one of the keys has signed; undefined for any other one.
 * @throws AppError `unavailable` when the keys can't be had
 */
export async function readToken(
  platform: string,
  token: string,
  keys: () => Promise<Keys>,
  options: JWTVerifyOptions,
): Promise<JWTVerifyResult | undefined> {
  try {
    return await jwtVerify(token, await keys(), {
      algorithms: ['RS256'],
      clockTolerance: skew,
      requiredClaims: ['exp'],
      ...options,
    })
  } catch (error) {
    if (isOfToken(error)) return undefined
    throw new AppError('unavailable', `The keys of ${platform} could not be had: ${messageOf(error)}`)
  }
}

/** Whether an error is about what was signed, and not about having the keys. */
function isOfToken(error: unknown): boolean {
  return (
    error instanceof errors.JOSEError &&
    !(error instanceof errors.JWKSTimeout) &&
    error.code !== errors.JOSEError.code
  )
}
