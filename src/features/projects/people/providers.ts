/** Other servers that people may sign in with, as the environment names them. */
export interface Providers {
  github: { clientId: string; clientSecret: string } | undefined
  oidc: { issuer: string; clientId: string; clientSecret: string; name: string } | undefined
}

export type ProviderName = 'github' | 'oidc'

export function listProviders({ github, oidc }: Providers): { name: ProviderName; label: string }[] {
  return [
    ...(oidc ? [{ name: 'oidc' as const, label: oidc.name }] : []),
    ...(github ? [{ name: 'github' as const, label: 'GitHub' }] : []),
  ]
}
