import { AppError } from '../../lib/errors.ts'

/** A web origin as browsers send it. @throws AppError `invalid` */
export function parseOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isOrigin =
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    /^\/?$/.test(url.pathname) &&
    url.search + url.hash + url.username + url.password === ''
  if (!isOrigin)
    throw new AppError(
      'invalid',
      `${JSON.stringify(text)} is not an origin; write it like https://docs.example.com`,
    )
  return url.origin
}
