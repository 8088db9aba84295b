import { isIP } from 'node:net'
import { AppError } from './errors.ts'
import { addressKind, hostOf } from './network-address.ts'
import type { ResolveName } from './pinned-request.ts'

/**
 * The addresses that a connection to a URL has to go to, asked for each connection; undefined when it may go wherever
 * its name leads. @throws AppError `invalid` for a site that may not be reached
 */
export type CheckAddress = (url: URL) => Promise<string[] | undefined>

/**
 * Keeps connections out of the server's own network, but for sites that the operator has named. Names are resolved
 * here each time, because they may lead elsewhere than when somebody gave them.
 * @param environment a proxy that it names resolves names itself, and decides what may be reached
 */
export function createCheckAddress({
  isNamed,
  resolveName,
  environment,
}: {
  isNamed: (url: URL) => Promise<boolean>
  resolveName: ResolveName
  environment: Readonly<Record<string, string | undefined>>
}): CheckAddress {
  return async (url) => {
    if (await isNamed(url)) return undefined
    const name = hostOf(url)
    const variable = `${url.protocol.slice(0, -1)}_proxy`
    const isProxied = [variable, variable.toUpperCase()].some((one) => environment[one])
    if (isIP(name) === 0 && isProxied) return undefined
    const addresses = isIP(name) > 0 ? [name] : await resolveName(name)
    requirePublic(name, addresses)
    return isProxied ? undefined : addresses
  }
}

/** @throws AppError `invalid` that says how to allow the site */
export function requirePublic(name: string, addresses: readonly string[]): void {
  if (addresses.length === 0)
    throw new AppError('invalid', `${name} has no address that this server can find: check the spelling`)
  if (addresses.some((one) => addressKind(one) !== 'public'))
    throw new AppError(
      'invalid',
      `${name} is in the server's own network: add the first project of that site on the server, with "docwright project add", or name it there with GITHUB_URL, GITLAB_URL or GITEA_URL`,
    )
}
