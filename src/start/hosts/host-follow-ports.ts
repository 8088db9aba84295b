import { readLines, type Lines } from '../../features/agent/review/lines.ts'
import { openProblems } from '../../features/agent/publish/open-problems.ts'
import { lastOpened } from '../../features/agent/hosts/requests.ts'
import type { HostFollowPorts } from '../../features/agent/hosts/ports.ts'
import type { RunPorts } from '../../features/agent/turns/turn-run.ts'
import { lastDelivery } from '../../features/connections/webhook.ts'
import { countLimits, limits, useBy } from '../../features/projects/limits.ts'
import { findProject } from '../../features/projects/projects.ts'
import { withDefaults } from '../../features/projects/settings/schemas.ts'
import { messageOf } from '../../lib/errors.ts'
import type { Reader } from '../../store/database.ts'
import type { Services } from '../services.ts'

/** How often a host with a working webhook is asked: its calls can get lost. */
const intervalBesideCalls = 600
/**
 * Milliseconds before a pull request was recorded as opened, in which a call of its host counts as a sign of a
 * working webhook.
 */
const callsFirst = 300_000

/** What following hosts needs, from the services and from what jobs run with. */
export function hostFollowPorts(
  services: Services,
  { jobLink, stopping, openProject, openToolbox }: RunPorts,
): HostFollowPorts {
  const { store, queue, config, log } = services
  return {
    store,
    queue,
    machine: services.machine,
    async open(projectId) {
      const project = await findProject(store.db, projectId)
      const opened = await services.openConnection(projectId)
      if (!project || !opened?.hosted) return undefined
      const { login, webhook, webhookSecret } = opened.connection
      return {
        id: project.id,
        domain: project.domain,
        hosted: opened.hosted,
        names: [config.mention, ...loginName(login)],
        trusted: withDefaults(project.settings).trusted,
        secret: webhookSecret,
        interval:
          webhook === 'active' && (await isCalled(store.db, project.id))
            ? Math.max(intervalBesideCalls, config.syncIntervalSeconds)
            : config.syncIntervalSeconds,
      }
    },
    async takeLimit(tx, projectId) {
      const project = await findProject(tx, projectId)
      if (project) await countLimits(tx, [useBy(project, limits.jobMessage)])
    },
    async readLines(projectId, commit, path) {
      const project = await findProject(store.db, projectId)
      const mirror = project && (await services.presentMirror(project))
      if (!mirror) return []
      const files = await readLines(mirror, commit, [path]).catch(() => new Map<string, Lines>())
      return files.get(path)?.lines ?? []
    },
    async checkCommit(projectId, made) {
      const opened = await openProject(projectId)
      return opened ? openProblems({ project: opened, openToolbox, signal: stopping }, made) : []
    },
    onMerge: (tx, projectId) => queue.send(tx, 'sync', projectId),
    jobLink,
    reportError: (error, projectId) =>
      log.warn({ projectId, err: error }, `A git host could not be followed: ${messageOf(error)}`),
    now: () => new Date(),
    stopping,
  }
}

// Many hosts accept a webhook but never call private addresses, or none behind a proxy. A working webhook reports
// every pull request that is opened.
async function isCalled(reader: Reader, projectId: string): Promise<boolean> {
  const [called, opened] = await Promise.all([lastDelivery(reader, projectId), lastOpened(reader, projectId)])
  return called !== undefined && (opened === undefined || called.getTime() > opened.getTime() - callsFirst)
}

// People are offered this name when they type an @. Apps are mentioned without the suffix that marks them.
function loginName(login: string | undefined): string[] {
  return login === undefined ? [] : [login.replace(/\[bot\]$/, '')]
}
