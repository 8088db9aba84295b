import { listSealedSecrets as listWebhookSecrets } from '../../features/agent/webhooks/webhooks.ts'
import { listSealedSecrets as listHostSecrets } from '../../features/projects/connections/connections.ts'
import { AppError } from '../../lib/errors.ts'
import { openSecret, sealSecret } from '../../lib/secret-box.ts'
import type { SecretKey } from '../../lib/secret-box.ts'
import type { Store } from '../../store/database.ts'
import type { Access } from '../access.ts'
import type { Endpoint } from '../endpoint.ts'

interface Dependencies {
  access: Access
  store: Store
  secretKey: SecretKey
}

/** Of the secrets that are kept encrypted. */
interface SecretsBody {
  /** Encrypted anew by this request. */
  resealed: number
  /** Encrypted with the current key before. */
  current: number
  /** Still encrypted with an earlier key. */
  earlier: number
  /** What people call those that no key opens. */
  unreadable: string[]
}

/** Endpoints of `docwright secrets reseal`, and of `doctor`, which only looks. */
export function adminSecretsEndpoints(dependencies: Dependencies): Endpoint[] {
  return [
    {
      route: { method: 'get', path: '/admin/secrets', responses: {}, hide: true },
      async handle(context) {
        dependencies.access.operator(context)
        return context.json(await goThrough(dependencies, { reseal: false }))
      },
    },
    {
      route: { method: 'post', path: '/admin/secrets/reseal', responses: {}, hide: true },
      async handle(context) {
        dependencies.access.operator(context)
        return context.json(await goThrough(dependencies, { reseal: true }))
      },
    },
  ]
}

// One at a time, each in place of what was read: whoever saves one meanwhile wins, and running again finds the rest.
async function goThrough(
  { store, secretKey }: Dependencies,
  { reseal }: { reseal: boolean },
): Promise<SecretsBody> {
  const body: SecretsBody = { resealed: 0, current: 0, earlier: 0, unreadable: [] }
  const kept = [...(await listHostSecrets(store.db)), ...(await listWebhookSecrets(store.db))]
  for (const { name, owner, sealed, replace } of kept) {
    if (read([secretKey[0]], owner, sealed) !== undefined) {
      body.current += 1
      continue
    }
    const secret = read(secretKey, owner, sealed)
    if (secret === undefined) body.unreadable.push(name)
    else if (reseal && (await store.transaction((tx) => replace(tx, sealSecret(secretKey, owner, secret)))))
      body.resealed += 1
    else body.earlier += 1
  }
  return body
}

function read(secretKey: SecretKey, owner: string, sealed: string): string | undefined {
  try {
    return openSecret(secretKey, owner, sealed)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}
