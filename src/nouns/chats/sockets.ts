import type { SecretKey } from '../../lib/secret-box.ts'
import type { Reader, Store } from '../../store/database.ts'
import { createDuties, type Duties } from '../../store/duties.ts'
import { keepDelivery } from './keep-delivery.ts'
import type { Raw, Socket } from './platform.ts'
import { platforms } from './platforms.ts'
import type { ChatApis } from '../../lib/chat-apis.ts'
import { findChat, secretsOf, type Chat } from './table.ts'

interface SocketPorts {
  store: Store
  secretKey: SecretKey
  chatApis: ChatApis
  reportError(error: unknown): void
  /** Aborts when this process is to end. */
  stopping: AbortSignal
}

/** Milliseconds after which a socket that could not be opened is tried again. */
const pause = 15_000
/** Milliseconds between two notes of where a socket stands, when nothing is kept. */
const noteEvery = 5000

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

  async function begin({ id, sealed, platform }: Pick<Chat, 'id' | 'sealed' | 'platform'>): Promise<void> {
    const secrets = secretsOf(ports.secretKey, { id, sealed })
    const opened = performance.now()
    const opening = platforms[platform].openSocket?.(ports.chatApis, secrets, {
      session: await sessionOf(store.db, id),
      keep: keeperOf(store, id),
      reportError: ports.reportError,
      ended() {
        if (open.get(id)?.sealed === sealed) open.delete(id)
        // Platforms end sockets every few hours, and expect to be called at once.
        if (performance.now() - opened < pause) notBefore.set(id, performance.now() + pause)
      },
    })
    if (opening) open.set(id, { sealed, socket: await opening })
  }

  return async () => {
    if (stopping.aborted) return
    const rows = await store.db
      .selectFrom('chats')
      .select(['id', 'secrets as sealed', 'platform'])
      .where('socket', '=', true)
      .execute()
    wanted = rows.map(({ id }) => `chat socket ${id}`)
    // Asks nobody where no workspace needs a socket.
    if (wanted.length > 0) duties ??= createDuties(store, () => wanted, stopping, ports.reportError)
    const mine = new Map(
      rows.filter(({ id }) => duties?.has(`chat socket ${id}`)).map((row) => [row.id, row]),
    )
    for (const [id, { sealed, socket }] of open) if (mine.get(id)?.sealed !== sealed) socket.close()
    for (const id of notBefore.keys()) if (!mine.has(id)) notBefore.delete(id)
    for (const [id, row] of mine)
      if (!open.has(id) && (notBefore.get(id) ?? 0) < performance.now())
        await begin(row).catch((error: unknown) => {
          notBefore.set(id, performance.now() + pause)
          ports.reportError(error)
        })
  }
}

/** Keeps the deliveries of a socket in their order, and where it stands after them. */
function keeperOf(store: Store, id: string): (raw: Raw, session?: string) => Promise<void> {
  let noted = 0
  return async (raw, session) => {
    const chat = await findChat(store.db, id)
    if (!chat) return
    const { isEvent } = await keepDelivery(store, chat, raw, session)
    if (isEvent || session === undefined || performance.now() - noted < noteEvery) return
    noted = performance.now()
    await store.transaction((tx) => tx.updateTable('chats').set({ session }).where('id', '=', id).execute())
  }
}

async function sessionOf(reader: Reader, id: string): Promise<string | undefined> {
  const row = await reader.selectFrom('chats').select('session').where('id', '=', id).executeTakeFirst()
  return row?.session ?? undefined
}
