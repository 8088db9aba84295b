import { encodeSegments } from '../http/api-path.ts'

/** The uses of a token. An app's installation token gets only the permissions that its use needs. */
export type TokenUse = 'git' | 'requests' | 'webhooks'

/** The authentication of requests. */
export interface GitHubAccess {
  /** @throws AppError that says what is wrong with the credential */
  token(use: TokenUse, renew?: boolean): Promise<string>
  /** The permissions of an app, by GitHub's names; undefined for tokens, whose permissions GitHub does not tell. */
  permissions(): Promise<Readonly<Record<string, string>> | undefined>
  /** The login that an app acts as; undefined for tokens. */
  appLogin(): Promise<string | undefined>
}

export const gitHubHeaders = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' }

/** The address of a repository in the API. */
export function repositoryPath(path: string): string {
  return `/repos/${encodeSegments(path)}`
}

/** The address of GraphQL, from the base of the API. On Enterprise Server it stands beside the REST API. */
export function graphqlPath(base: string): string {
  return base.endsWith('/api/v3') ? '/../graphql' : '/graphql'
}

/** The base address of a site's API. */
export function apiBase(site: string): string {
  if (!URL.canParse(site)) return site
  const { origin, hostname, href } = new URL(site)
  if (hostname === 'github.com' || hostname === 'www.github.com') return 'https://api.github.com'
  if (hostname.endsWith('.ghe.com')) return origin.replace('://', '://api.')
  return `${href.replace(/(?<!\/)\/+$/, '')}/api/v3`
}
