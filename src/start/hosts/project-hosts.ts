import { lookup } from 'node:dns/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { DashboardPorts } from '../../api/dashboard/ports.ts'
import { addContextRepository } from '../../features/projects/context-repositories.ts'
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

/** Milliseconds that a page of the dashboard waits for a host. */
const patience = 2500
/** The same for an action that a person asked for. */
const longPatience = 15_000

/** The dashboard's actions on git hosts. */
export function createProjectHosts(services: Services): DashboardPorts['hosts'] {
  const { store, queue, hosts, openConnection, config } = services
  const ports = { store, hosts, openConnection, publicUrl: config.publicUrl }
  const access = createRememberedAccess(() => new Date(), patience)
  const webhookNotes = new Map<string, string[]>()
  const changeNotes = new Map<string, string[]>()
  const setUp = async (id: string): Promise<void> => {
    access.forget(id)
    webhookNotes.set(id, await setUpWebhook(ports, id))
  }
  const requireAddress = async (location: string, command?: string): Promise<void> => {
    const folder =
      command === undefined ? '' : `; a folder on the server is named there, with "docwright ${command}"`
    if (!isAddress(location)) throw new AppError('invalid', `Give the https address of a repository${folder}`)
    const resolveName = async (name: string): Promise<string[]> =>
      (await lookup(name, { all: true })).map(({ address }) => address)
    await requireNamedSite({ db: store.db, hosts, resolveName }, location)
  }
  return {
    async describe({ id }) {
      const host = await describeHost({ ...ports, ask: access.ask }, id)
      // The host is asked about the credential each time.
      const left = (changeNotes.get(id) ?? []).filter((note) => host?.notes?.includes(note) !== true)
      return host && { ...host, webhookNotes: webhookNotes.get(id) ?? [], changeNotes: left }
    },
    async add(input) {
      await requireAddress(input.location, 'project add')
      const { project } = await addProject(services, input)
      await setUp(project.id)
      return project
    },
    async connect(project, input) {
      if (input.location !== undefined) await requireAddress(input.location)
      const { notes } = await connectProject(services, project, input)
      changeNotes.set(project.id, notes)
      await setUp(project.id)
    },
    async addContext({ id }, input) {
      await requireAddress(input.location, 'project set')
      await addContextRepository(services, id, input)
    },
    async forgetCredential({ id }) {
      await store.transaction(async (tx) => {
        await dropCredential(tx, id)
        await requestSync(tx, queue, id)
      })
      webhookNotes.delete(id)
    },
    async check({ id }) {
      changeNotes.delete(id)
      const done = setUp(id).catch((error: unknown) => {
        // A connection that cannot be opened is explained in the host's description.
        if (!(error instanceof AppError)) throw error
      })
      await Promise.race([done, delay(longPatience, undefined, { ref: false })])
    },
    interval: config.syncIntervalSeconds,
    secretKey: config.secretKey === undefined ? 'file' : 'DOCWRIGHT_SECRET_KEY',
  }
}
