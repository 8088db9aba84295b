import { wakeRequest } from '../../features/agent/hosts/requests.ts'
import { takeDelivery } from '../../features/projects/deliveries.ts'
import type { OpenConnection } from '../../features/projects/open-connection.ts'
import { findProject } from '../../features/projects/projects.ts'
import type { Project } from '../../features/projects/projects.ts'
import { requestSync } from '../../features/projects/request-sync.ts'
import type { HostEvent } from '../../integrations/forges/host.ts'
import { AppError } from '../../lib/errors.ts'
import { hasUnstorable } from '../../lib/plain-text.ts'
import type { Store, Tx } from '../../store/database.ts'
import type { Queue } from '../../store/queue.ts'
import type { Endpoint } from '../endpoint.ts'
import { readBytes } from './read-bytes.ts'

interface Dependencies {
  store: Store
  queue: Queue
  openConnection: OpenConnection
}

const bodyLimit = 5 * 1024 * 1024

// Each host's own, the newest names first.
const deliveryHeaders = [
  'x-github-delivery',
  'x-gitea-delivery',
  'x-forgejo-delivery',
  'idempotency-key',
  'webhook-id',
  'x-gitlab-event-uuid',
  'x-request-uuid',
]

/** One of them carries what proves the call. */
const signatureHeaders = [
  'x-hub-signature-256',
  'x-hub-signature',
  'x-gitea-signature',
  'x-forgejo-signature',
  'x-gitlab-token',
  'webhook-signature',
]

/**
 * Where git hosts call. They prove themselves by a signature, not by a key. Nothing that a call says is believed: it
 * only says where to look now.
 */
export function receiveWebhookEndpoint({ store, queue, openConnection }: Dependencies): Endpoint {
  return {
    route: { method: 'post', path: '/hosts/{projectId}/webhook', responses: {}, hide: true },
    async handle(context) {
      const projectId = context.req.param('projectId') ?? ''
      const known = !hasUnstorable(projectId)
      const opened = known ? await openConnection(projectId) : undefined
      const project = opened && (await findProject(store.db, projectId))
      // Whoever may not know which projects there are learns nothing here.
      const { headers } = context.req.raw
      if (!opened?.host || !project || !signatureHeaders.some((name) => headers.has(name)))
        throw new AppError(
          'unauthorized',
          'The webhook is not signed with its secret: set the same secret at the host',
        )
      // Only now: a body of strangers would take memory from everyone.
      const body = await readBytes(context, bodyLimit)
      const event = opened.host.readWebhook(headers, body, opened.connection.webhookSecret)
      const delivery = deliveryHeaders.flatMap((name) => headers.get(name) ?? [])[0]
      if (event) {
        await store.transaction(async (tx) => {
          const isNew = delivery === undefined || (await takeDelivery(tx, projectId, delivery.slice(0, 200)))
          if (isNew) await act(tx, queue, project, event)
        })
      }
      return context.body(null, 202)
    },
  }
}

async function act(tx: Tx, queue: Queue, project: Project, event: HostEvent): Promise<void> {
  if (event.type === 'push') {
    if (event.branch === project.ref && event.commit !== undefined) await requestSync(tx, queue, project.id)
    return
  }
  if (event.type === 'comment' && event.own) return
  await wakeRequest(tx, project.id, event.number)
}
