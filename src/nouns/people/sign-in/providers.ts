import { AppError } from '../../../lib/errors.ts'

/** Other servers that people may sign in with, as the environment names them. */
export interface Providers {
  github: { clientId: string; clientSecret: string } | undefined
  oidc: { issuer: string; clientId: string; clientSecret: string; name: string } | undefined
}

export type ProviderName = 'github' | 'oidc'

/** @throws AppError `invalid` for one that the environment does not name */
export function requireProvider(providers: Providers, name: ProviderName): void {
  if (providers[name] !== undefined) return
  const [first] = listProviders(providers)
  throw new AppError(
    'invalid',
    `This server has no sign-in provider “${name}”. ${first === undefined ? 'Sign in with a password or a passkey' : `Use “${first.name}”`}`,
  )
}

export function listProviders({ github, oidc }: Providers): { name: ProviderName; label: string }[] {
  return [
    ...(oidc ? [{ name: 'oidc' as const, label: oidc.name }] : []),
    ...(github ? [{ name: 'github' as const, label: 'GitHub' }] : []),
  ]
}
