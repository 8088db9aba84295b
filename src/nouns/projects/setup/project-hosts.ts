import { describeFolder } from './describe-folder.ts'
import { addProject, type AddedProject, type AddProjectInput, type AddProjectPorts } from './add-project.ts'
import { belongsTo, mayDo, type Caller } from '../../../features/projects/allow.ts'
import { addContextRepository, changeSettings, type SettingsPorts } from './change-settings.ts'
import type { Project } from '../../../features/projects/projects.ts'
import { requestSync } from '../../../features/projects/sync.ts'
import type { ProjectSettings } from '../../../features/projects/settings/schemas.ts'
import { HostFailure } from '../../../integrations/forges/http/host-failure.ts'
import { RemoteUnreachable } from '../../../integrations/git/remotes/explain-remote-failure.ts'
import { AppError } from '../../../lib/errors.ts'
import { resolveName } from '../../../lib/pinned-request.ts'
import { within } from '../../../lib/within.ts'
import { checkRepository, type CheckedRepository, type RepositoryToCheck } from './check-repository.ts'
import { connectProject, type ConnectedProject, type ConnectInput } from './connect-project.ts'
import { dropCredential } from '../../../features/connections/connections.ts'
import {
  askHost,
  createAccessCache,
  describeHost,
  type DescribeHostPorts,
  type HostDescription,
} from '../../../features/connections/describe-host.ts'
import { nameSite, requireNamedSite } from '../../../features/connections/named-sites.ts'
import { isAddress } from '../../../lib/repository-address.ts'
import { setUpWebhook } from '../../../features/connections/webhook.ts'

/** Milliseconds that a page view waits for a host. */
const patience = 2500
/** The same when a person has asked for a check. */
const longPatience = 15_000

/** All actions that take the location of a repository from a caller, and the connections to git hosts. */
export interface ProjectHosts {
  /** Undefined for folders on this server. Waits only briefly for the host, as pages call it. */
  describe(project: Project): Promise<ShownHost | undefined>
  /** The same, but asks the host again and waits longer. */
  ask(project: Project): Promise<ShownHost | undefined>
  /** @throws AppError that says what to give instead */
  add(input: AddProjectInput, caller: Caller): Promise<AddedProject>
  /** Tries an address and a credential. Nothing is kept. @throws AppError that says what to give instead */
  tryRepository(input: RepositoryToCheck, caller: Caller): Promise<CheckedRepository>
  /** @throws AppError when the connection does not work; nothing is changed then */
  connect(project: Project, input: ConnectInput, caller: Caller): Promise<ConnectedProject>
  /** @param input as `settingsChange` @throws AppError that says what to give instead */
  changeSettings(project: Project, input: unknown, caller: Caller): Promise<ProjectSettings>
  /** @param input as `namedRepository` @throws AppError that says what to give instead */
  addContext(project: Project, input: unknown, caller: Caller): Promise<ProjectSettings>
  forgetCredential(project: Project): Promise<void>
  /** Asks the host again, and sets up its webhook if there is none. */
  check(project: Project): Promise<void>
}

export interface ShownHost extends HostDescription {
  /** Why the host sends no webhooks, if that was tried recently. */
  webhookNotes: string[]
  /** What people still have to do after the last change of the connection, if that was recent. */
  changeNotes: string[]
}

type Ports = AddProjectPorts & SettingsPorts & Omit<DescribeHostPorts, 'ask'>

/** What people have just typed is theirs to correct: a host name without an address is no outage here. */
async function asGiven<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    const isKnown = error instanceof RemoteUnreachable || error instanceof HostFailure
    throw isKnown && error.isUnknownName
      ? new AppError('invalid', `${error.message}. Check its spelling`, { cause: error })
      : error
  })
}

export function createProjectHosts(ports: Ports): ProjectHosts {
  const { store, queue, hosts } = ports
  const access = createAccessCache(hosts.ports.now, patience)
  const webhookNotes = new Map<string, string[]>()
  const changeNotes = new Map<string, string[]>()
  const setUp = async (id: string): Promise<string[]> => {
    access.forget(id)
    const notes = await setUpWebhook(ports, id)
    webhookNotes.set(id, notes)
    return notes
  }
  // Callers other than the operator must not read folders of this machine or reach sites in its network.
  const requirePlace = async (caller: Caller, location: string): Promise<void> => {
    if (mayDo(caller, 'nameAnyPlace')) return isAddress(location) ? nameSite(store, location) : undefined
    if (!isAddress(location) || /^file:/i.test(location))
      throw new AppError('invalid', describeFolder(location))
    const knows = (organizationId: string): boolean => belongsTo(caller, organizationId)
    await requireNamedSite({ db: store.db, hosts, knows, resolveName }, location)
  }
  const describe = async ({ id }: Project, ask: DescribeHostPorts['ask']): Promise<ShownHost | undefined> => {
    const host = await describeHost({ ...ports, ask }, id)
    // Notes that the host's current answer repeats are left out.
    const left = (changeNotes.get(id) ?? []).filter((note) => host?.notes?.includes(note) !== true)
    return host && { ...host, webhookNotes: webhookNotes.get(id) ?? [], changeNotes: left }
  }
  return {
    describe: (project) => describe(project, access.ask),
    ask: (project) => describe(project, (opened) => askHost(opened, hosts.ports.now)),
    async add(input, caller) {
      await requirePlace(caller, input.location)
      const added = await asGiven(addProject(ports, input))
      return { ...added, notes: [...added.notes, ...(await setUp(added.project.id))] }
    },
    async tryRepository(input, caller) {
      await requirePlace(caller, input.location)
      if (!isAddress(input.location))
        throw new AppError('invalid', 'A folder on the server has no host to ask: add it')
      return asGiven(checkRepository(ports, input))
    },
    async connect(project, input, caller) {
      if (input.location !== undefined) await requirePlace(caller, input.location)
      const changed = await asGiven(connectProject(ports, project, input))
      changeNotes.set(project.id, changed.notes)
      return { ...changed, notes: [...changed.notes, ...(await setUp(project.id))] }
    },
    changeSettings: (project, input, caller) =>
      asGiven(changeSettings(ports, project, input, (location) => requirePlace(caller, location))),
    addContext: ({ id }, input, caller) =>
      asGiven(addContextRepository(ports, id, input, (location) => requirePlace(caller, location))),
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
        // A connection that cannot be opened is reported in the description of the host.
        if (!(error instanceof AppError)) throw error
      })
      await within(longPatience, done, () => undefined)
    },
  }
}
