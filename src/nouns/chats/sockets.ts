import type { SecretKey } from '../../lib/secret-box.ts'
import type { Store } from '../../store/database.ts'
import { createDuties, type Duties } from '../../store/duties.ts'
import { keepDelivery } from './keep-delivery.ts'
import type { Socket } from './slack/open-socket.ts'
import { findChat, secretsOf } from './table.ts'

interface SocketPorts {
  store: Store
  secretKey: SecretKey
  /** Where Slack answers. */
  slackApi: string
  reportError(error: unknown): void
  /** Aborts when this process is to end. */
  stopping: AbortSignal
}

/** Milliseconds after which a socket that could not be opened is tried again. */
const pause = 15_000

/**
 * Holds the sockets of workspaces that call nobody. One process holds each, and another one takes over when it ends.
 * @returns a look at which are to be open
 */
export function createSockets(ports: SocketPorts): () => Promise<void> {
  const { store, stopping } = ports
  const open = new Map<string, { sealed: string; socket: Socket }>()
  const notBefore = new Map<string, number>()
  let wanted: string[] = []
  let duties: Duties | undefined
  stopping.addEventListener('abort', () => {
    for (const { socket } of open.values()) socket.close()
  })

  async function begin(id: string, sealed: string): Promise<void> {
    const { appToken } = secretsOf(ports.secretKey, { id, sealed })
    if (appToken === undefined) return
    const { openSocket } = await import('./slack/open-socket.ts')
    const opened = performance.now()
    const socket = openSocket(ports.slackApi, appToken, {
      async keep(delivery) {
        const chat = await findChat(store.db, id)
        if (chat) await keepDelivery(store, chat, delivery)
      },
      reportError: ports.reportError,
      ended() {
        if (open.get(id)?.sealed === sealed) open.delete(id)
        // Slack ends sockets every few hours, and expects to be called at once.
        if (performance.now() - opened < pause) notBefore.set(id, performance.now() + pause)
      },
    })
    open.set(id, { sealed, socket })
  }

  return async () => {
    if (stopping.aborted) return
    const rows = await store.db
      .selectFrom('chats')
      .select(['id', 'secrets'])
      .where('socket', '=', true)
      .execute()
    wanted = rows.map(({ id }) => `chat socket ${id}`)
    // Asks nobody where no workspace needs a socket.
    if (wanted.length > 0) duties ??= createDuties(store, () => wanted, stopping, ports.reportError)
    const mine = new Map(
      rows.filter(({ id }) => duties?.has(`chat socket ${id}`)).map(({ id, secrets }) => [id, secrets]),
    )
    for (const [id, { sealed, socket }] of open) if (mine.get(id) !== sealed) socket.close()
    for (const id of notBefore.keys()) if (!mine.has(id)) notBefore.delete(id)
    for (const [id, sealed] of mine)
      if (!open.has(id) && (notBefore.get(id) ?? 0) < performance.now())
        await begin(id, sealed).catch((error: unknown) => {
          notBefore.set(id, performance.now() + pause)
          ports.reportError(error)
        })
  }
}
