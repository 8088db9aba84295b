import { lookup } from 'node:dns/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { DashboardPorts } from '../../api/dashboard/ports.ts'
import { addProject } from '../../features/projects/add-project.ts'
import { dropCredential } from '../../features/projects/connections/connections.ts'
import { connectProject } from '../../features/projects/connections/connect-project.ts'
import { describeHost } from '../../features/projects/connections/describe-host.ts'
import { isAddress } from '../../features/projects/connections/read-address.ts'
import { createRememberedAccess } from '../../features/projects/connections/remember-access.ts'
import { requestSync } from '../../features/projects/request-sync.ts'
import { requireNamedSite } from '../../features/projects/connections/require-named-site.ts'
import { setUpWebhook } from '../../features/projects/connections/set-up-webhook.ts'
import { AppError } from '../../lib/errors.ts'
import type { Services } from '../open-services.ts'

/** Milliseconds that a page waits for a host. */
const patience = 2500
/** The same for what somebody asked for. */
const longPatience = 15_000

/** What the dashboard does with git hosts. */
export function createProjectHosts(services: Services): DashboardPorts['hosts'] {
  const { store, queue, hosts, openConnection, config } = services
  const ports = { store, hosts, openConnection, publicUrl: config.publicUrl }
  const access = createRememberedAccess(() => new Date(), patience)
  const webhookNotes = new Map<string, string[]>()
  const setUp = async (id: string): Promise<void> => {
    access.forget(id)
    webhookNotes.set(id, await setUpWebhook(ports, id))
  }
  return {
    async describe({ id }) {
      const host = await describeHost({ ...ports, ask: access.ask }, id)
      return host && { ...host, webhookNotes: webhookNotes.get(id) ?? [] }
    },
    async add(input) {
      if (!isAddress(input.location))
        throw new AppError(
          'invalid',
          'Give the https address of a repository; a folder on the server is added there, with "docwright project add"',
        )
      const resolveName = async (name: string): Promise<string[]> =>
        (await lookup(name, { all: true })).map(({ address }) => address)
      await requireNamedSite({ db: store.db, hosts, resolveName }, input.location)
      const { project } = await addProject(services, input)
      await setUp(project.id)
      return project
    },
    async connect(project, input) {
      await connectProject(services, project, input)
      await setUp(project.id)
    },
    async forgetCredential({ id }) {
      await store.transaction(async (tx) => {
        await dropCredential(tx, id)
        await requestSync(tx, queue, id)
      })
      webhookNotes.delete(id)
    },
    async check({ id }) {
      const done = setUp(id).catch((error: unknown) => {
        // What cannot be opened is told where the host is described.
        if (!(error instanceof AppError)) throw error
      })
      await Promise.race([done, delay(longPatience, undefined, { ref: false })])
    },
    interval: config.syncIntervalSeconds,
    secretKey: config.secretKey === undefined ? 'file' : 'DOCWRIGHT_SECRET_KEY',
  }
}
