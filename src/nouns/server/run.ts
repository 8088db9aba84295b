import { findAnything, type FindPorts } from '../../api/find/find-anything.ts'
import { listSealedSecrets as listChatSecrets } from '../chats/table.ts'
import { listSealedSecrets as listWebhookSecrets } from '../../features/agent/webhooks/webhooks.ts'
import { listSealedSecrets as listHostSecrets } from '../../features/connections/connections.ts'
import { adviceFor, type ServerHealth } from '../../features/server/health.ts'
import type { CheckModel } from '../../integrations/models/offered-model.ts'
import type { Committer } from '../../integrations/git/trees/commit-tree.ts'
import type { SecretKey } from '../../lib/secret-box.ts'
import { countSecrets, type SecretCounts } from '../../store/count-secrets.ts'
import type { Store } from '../../store/database.ts'
import { deed } from '../../verbs/verb.ts'
import * as verbs from './verbs.ts'

interface Ports extends FindPorts {
  store: Store
  secretKey: SecretKey
  /** Who makes commits. */
  committer: Committer
  health(): Promise<ServerHealth>
  now(): Date
  checkModel: CheckModel
}

const find = deed(verbs.find, async (ports: Ports, asking, { query, project }) => {
  const place = { domain: project, shown: await asking.shownOrganization() }
  const all = await findAnything(ports, asking.caller, { query, ...place })
  return all.map(({ isForm = false, ...one }) => ({ ...one, form: isForm }))
})

const getServer = deed(verbs.getServer, async ({ health, now }: Ports) => {
  const state = await health()
  return {
    ...state,
    processes: state.processes.map((one) => ({ ...one, alive: one.isAlive })),
    advice: adviceFor(state, now()),
  }
})

async function secretsOf(ports: Ports, options: { reseal: boolean }): Promise<SecretCounts> {
  const { db } = ports.store
  return countSecrets(
    ports,
    [...(await listHostSecrets(db)), ...(await listWebhookSecrets(db)), ...(await listChatSecrets(db))],
    options,
  )
}

const checkModel = deed(verbs.checkModel, (ports: Ports, _, { variable }) => ports.checkModel(variable))

const checkSecrets = deed(verbs.checkSecrets, (ports: Ports) => secretsOf(ports, { reseal: false }))

const resealSecrets = deed(verbs.resealSecrets, (ports: Ports) => secretsOf(ports, { reseal: true }))

const getCommitIdentity = deed(verbs.getCommitIdentity, async ({ committer }: Ports) => {
  const { name, email, signingKey: key } = committer
  const signing = key ? { publicKey: key.publicKey, fingerprint: key.fingerprint } : null
  return { name, email, signing }
})

export const serverDeeds = [find, getServer, checkModel, checkSecrets, getCommitIdentity, resealSecrets]
