import { encodeSegments } from '../http/api-path.ts'

/** What tokens are for: an app's installation token holds no more than its use needs. */
export type TokenUse = 'git' | 'requests' | 'webhooks'

/** How requests prove who asks. */
export interface GitHubAccess {
  /** @throws AppError that says what is wrong with the credential */
  token(use: TokenUse, renew?: boolean): Promise<string>
  /** What an app may do, by GitHub's names; undefined for tokens, which do not tell. */
  permissions(): Promise<Readonly<Record<string, string>> | undefined>
  /** The name that an app acts by; undefined for tokens. */
  appLogin(): Promise<string | undefined>
}

export const gitHubHeaders = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' }

/** The address of a repository in the API. */
export function repositoryPath(path: string): string {
  return `/repos/${encodeSegments(path)}`
}

/** Where GraphQL is, from the base of the API: beside it on servers of one's own. */
export function graphqlPath(base: string): string {
  return base.endsWith('/api/v3') ? '/../graphql' : '/graphql'
}

/** Where a site has its API. */
export function apiBase(site: string): string {
  if (!URL.canParse(site)) return site
  const { origin, hostname, href } = new URL(site)
  if (hostname === 'github.com' || hostname === 'www.github.com') return 'https://api.github.com'
  if (hostname.endsWith('.ghe.com')) return origin.replace('://', '://api.')
  return `${href.replace(/(?<!\/)\/+$/, '')}/api/v3`
}
