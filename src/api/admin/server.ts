import { listSealedSecrets as listWebhookSecrets } from '../../features/agent/webhooks/webhooks.ts'
import { listSealedSecrets as listHostSecrets } from '../../features/connections/connections.ts'
import { countSecrets, type SecretCounts } from '../../store/count-secrets.ts'
import type { Committer } from '../../integrations/git/trees/commit-tree.ts'
import type { SecretKey } from '../../lib/secret-box.ts'
import { commitIdentity, secretCounts } from '../../nouns/server/answers.ts'
import type { Store } from '../../store/database.ts'
import type { Access } from '../access.ts'
import { operations } from '../description/operation.ts'
import type { Endpoint } from '../endpoint.ts'

interface Ports {
  access: Access
  store: Store
  secretKey: SecretKey
  /** Who makes commits. */
  committer: Committer
}

/** Endpoints for the operator alone: encrypted secrets, and who makes commits. */
export function serverEndpoints(ports: Ports): Endpoint[] {
  const { access, store } = ports
  const { onServer } = operations(access, 'Server')
  const secrets = async (options: { reseal: boolean }): Promise<SecretCounts> =>
    countSecrets(
      ports,
      [...(await listHostSecrets(store.db)), ...(await listWebhookSecrets(store.db))],
      options,
    )
  const counts = ['How many secrets each key holds', secretCounts] as const
  return [
    onServer('checkSecrets', 'get /admin/secrets', 'Check secrets', {
      description: 'Counts the secrets by the key that they are encrypted with.',
      answer: [200, ...counts],
      handle: () => secrets({ reseal: false }),
    }),
    onServer('getCommitIdentity', 'get /admin/commits', 'Get the commit identity', {
      description: 'Who makes the commits of jobs, and the public part of the key that signs them.',
      answer: [200, 'The identity', commitIdentity],
      async handle() {
        const { name, email, signingKey: key } = ports.committer
        const signing = key ? { publicKey: key.publicKey, fingerprint: key.fingerprint } : null
        return { name, email, signing }
      },
    }),
    onServer('resealSecrets', 'post /admin/secrets/reseal', 'Encrypt secrets again', {
      description: 'Encrypts them with the current key, after it was changed. Can be repeated.',
      answer: [200, ...counts],
      handle: () => secrets({ reseal: true }),
    }),
  ]
}
