import { makeRequestDue } from '../../features/agent/hosts/requests.ts'
import { isWatched, makeWatchDue } from '../../features/automations/events/look.ts'
import { recordDelivery } from '../../features/connections/webhook.ts'
import { followRename } from '../../features/connections/follow-rename.ts'
import type { OpenConnection, OpenedConnection } from '../../features/connections/open-connection.ts'
import { findProject, type Project } from '../../features/projects/projects.ts'
import { requestSync } from '../../features/projects/sync.ts'
import type { HostedRepository, HostEvent } from '../../integrations/forges/host.ts'
import { AppError, asProblem } from '../../lib/errors.ts'
import { keepNewest } from '../../lib/keep-newest.ts'
import { hasUnstorable } from '../../lib/text/plain-text.ts'
import { isPushedByPeople } from '../../features/agent/workspace/job-work.ts'
import type { Reader, Store } from '../../store/database.ts'
import type { Queue } from '../../store/queue.ts'
import { describe } from '../../api/description/operation.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { readBytes } from '../../api/read-bytes.ts'
import { sharerOf } from '../../api/sharer.ts'

interface Ports {
  store: Store
  queue: Pick<Queue, 'send'>
  openConnection: OpenConnection
}

const bodyLimit = 5 * 1024 * 1024

// The delivery headers of each host, newest names first.
const deliveryHeaders = [
  'x-github-delivery',
  'x-gitea-delivery',
  'x-forgejo-delivery',
  'idempotency-key',
  'webhook-id',
  'x-gitlab-event-uuid',
  'x-request-uuid',
]

/** One of these headers holds the signature of a call. */
const signatureHeaders = [
  'x-hub-signature-256',
  'x-hub-signature',
  'x-gitea-signature',
  'x-forgejo-signature',
  'x-gitlab-token',
  'webhook-signature',
]

/** Milliseconds after which a host is asked again whether a name is the project's now. */
const askAgain = 86_400_000
/** Milliseconds between two such questions for a project, however many names its webhook tells. */
const betweenQuestions = 60_000
/** Of names for a project, and of projects. */
const mostRemembered = 1000

/** What a host said of the name of a project's repository. */
interface NameAnswer {
  at: number
  path: string
  /** Names in lower case that were another repository's, and when the host said so. */
  others: Map<string, number>
}

/** Seconds after a push during which further pushes are part of the same sync. */
const mergeSeconds = 1

/**
 * Receives the webhooks of git hosts, which are authenticated by a signature instead of a key. The content of a
 * call is not trusted: it only says what to fetch or ask now.
 */
export function receiveWebhookEndpoint({ store, queue, openConnection }: Ports): Endpoint {
  /** By project: until when the requested sync covers further pushes, whether it is still being requested, and whether it was. */
  const announced = new Map<string, { until: number; isPending: boolean; sent: Promise<boolean> }>()
  /** By project. A question without an answer is none, so the next event asks again. */
  const nameAnswers = new Map<string, NameAnswer>()
  /** Questions that are under way, by project. */
  const nameQuestions = new Map<string, Promise<string>>()

  function askName(projectId: string, hosted: HostedRepository): Promise<string> {
    const running = nameQuestions.get(projectId)
    if (running) return running
    const question = hosted.presentPath().finally(() => nameQuestions.delete(projectId))
    nameQuestions.set(projectId, question)
    return question
  }

  // The webhook of a group or an organization reports events of all its repositories. One of another name may be the
  // project's, which was renamed.
  async function namedNow({ hosted, connection }: OpenedConnection, told: string): Promise<string> {
    const { projectId, repository } = connection
    if (hosted === undefined) return repository.path
    const known = nameAnswers.get(projectId)
    const others = known?.others ?? new Map<string, number>()
    const other = told.toLowerCase()
    const began = Date.now()
    const isRecent = known?.path === repository.path && began - known.at < betweenQuestions
    if (isRecent || began - (others.get(other) ?? 0) < askAgain) return repository.path
    const path = await askName(projectId, hosted).catch(asProblem)
    if (path instanceof AppError) return repository.path
    if (!isNamed(told, path)) keepNewest(others, mostRemembered, other, Date.now())
    keepNewest(nameAnswers, mostRemembered, projectId, { at: began, path, others })
    return (await followRename(store, connection, path)) ? path : repository.path
  }

  return {
    route: describe('receiveHostEvent', 'post /hosts/{projectId}/webhook', {
      tag: 'Git hosts',
      summary: 'Receive an event of a git host',
      description:
        'Called only by git hosts, which sign their calls. Connecting a project sets the webhook up at the host.',
      responses: { 202: { description: 'Accepted' } },
      errors: [400, 401, 413],
    }),
    async handle(context) {
      const projectId = context.req.param('projectId') ?? ''
      const known = !hasUnstorable(projectId)
      const opened = known ? await openConnection(projectId) : undefined
      const project = opened && (await findProject(store.db, projectId))
      // All failures look the same, so that strangers do not learn which projects exist.
      const { headers } = context.req.raw
      if (!opened?.host || !project || !signatureHeaders.some((name) => headers.has(name)))
        throw new AppError(
          'unauthorized',
          'The webhook is not signed with its secret: set the same secret at the host',
        )
      // The body is read only now, and not in the project's own share, because strangers who know its id may have
      // sent it.
      const sharer = { address: sharerOf(context).address, project: `hosts of ${projectId}` }
      const body = await readBytes(context, { limit: bodyLimit, sharer })
      const { repository, webhookSecret } = opened.connection
      const events = opened.host.readWebhook(headers, body, webhookSecret)
      const other = events.find(({ path }) => !isNamed(path, repository.path))?.path
      const name = other === undefined ? repository.path : await namedNow(opened, other)
      const contexts = pushedContexts(opened, project, events)
      const due: HostEvent[] = []
      for (const event of events)
        if (isNamed(event.path, name) && (await matters(store.db, event, project))) due.push(event)
      if (contexts.length > 0)
        await store.transaction(async (tx) => {
          for (const name of contexts) await makeWatchDue(tx, projectId, name)
        })
      if (due.length === 0) return context.body(null, 202)
      const isPush = due.some(({ type }) => type === 'push')
      const before = isPush ? announced.get(projectId) : undefined
      const now = Date.now()
      const isCovered = before !== undefined && (before.isPending || before.until > now)
      if (isCovered && (await before.sent.catch(() => false))) return context.body(null, 202)
      const delivery = deliveryHeaders.flatMap((name) => headers.get(name) ?? [])[0]
      const sent = store.transaction(async (tx) => {
        const isNew = delivery === undefined || (await recordDelivery(tx, projectId, delivery.slice(0, 200)))
        if (!isNew) return false
        if (isPush) await requestSync(tx, queue, projectId, { delay: mergeSeconds })
        for (const event of due) if (event.type !== 'push') await makeRequestDue(tx, projectId, event.number)
        return isPush
      })
      if (isPush) {
        if (announced.size > 1000) announced.clear()
        const announcement = { until: now + mergeSeconds * 1000, isPending: true, sent }
        announced.set(projectId, announcement)
        const end = () => void (announcement.isPending = false)
        sent.then(end, end)
      }
      await sent
      return context.body(null, 202)
    },
  }
}

function isNamed(told: string, path: string): boolean {
  return told.toLowerCase() === path.toLowerCase()
}

/** Context repositories that were pushed to or have a new pull request, of which the webhook of a group or an organization tells as well. */
function pushedContexts(
  { connection: { repository } }: OpenedConnection,
  { settings }: Project,
  events: readonly HostEvent[],
): string[] {
  const pushed = new Set(
    events.flatMap(({ type, path }) =>
      type === 'push' || type === 'request' ? [`${repository.site}/${path}`.toLowerCase()] : [],
    ),
  )
  return (settings.contextRepositories ?? []).flatMap(({ name, location }) =>
    pushed.has(location.toLowerCase().replace(/(?:\.git)?\/?$/, '')) ? [name] : [],
  )
}

async function matters(reader: Reader, event: HostEvent, project: Project): Promise<boolean> {
  if (event.type !== 'push') return !(event.type === 'comment' && event.own)
  if (event.commit === undefined) return false
  return (
    event.branch === project.ref ||
    (await isPushedByPeople(reader, project.id, event.branch, event.commit)) ||
    // Rules may wait for any branch.
    (await isWatched(reader, project.id, ''))
  )
}
