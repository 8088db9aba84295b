import type { Client } from 'pg'
import type { Connections } from './pool.ts'

/** Milliseconds. */
const checkEvery = 10_000
const answerWithin = 5_000
const firstPause = 1_000
const longestPause = 30_000

interface Listening {
  channel: string
  hear(payload: string): void
  /** Called whenever it begins to listen, again too: what was said before was missed. */
  onListening(): void
}

interface Listener {
  /** Whether it is called now. */
  isListening(): boolean
  close(): Promise<void>
}

/**
 * Listens on a connection of its own, and on another one when it breaks. A pooler that gives each transaction another
 * connection forgets who listens: there it gives up, and nobody is called any more.
 * @throws the error of the first connection
 */
export async function listen(
  connections: Connections,
  { channel, hear, onListening }: Listening,
): Promise<Listener> {
  let closed = false
  let client: Client | undefined
  let timer: NodeJS.Timeout | undefined
  let pause = firstPause

  const lose = (lost: Client): void => {
    if (client !== lost) return
    client = undefined
    clearTimeout(timer)
    lost.end().catch(() => undefined)
    if (!closed) reopenLater()
  }
  const reopenLater = (): void => {
    timer = setTimeout(() => {
      begin().catch(() => {
        if (!closed) reopenLater()
      })
    }, pause)
    pause = Math.min(pause * 2, longestPause)
  }
  const check = async (checked: Client): Promise<void> => {
    // A connection that broke without a sign gives no answer.
    const deadline = setTimeout(() => lose(checked), answerWithin)
    try {
      const { rows } = await checked.query<{ listens: boolean }>(
        'select $1 in (select pg_listening_channels()) as listens',
        [channel],
      )
      if (client !== checked) return
      if (rows[0]?.listens) {
        timer = setTimeout(() => void check(checked), checkEvery)
        return
      }
      closed ||= connections.isBehindPooler()
      lose(checked)
    } catch {
      lose(checked)
    } finally {
      clearTimeout(deadline)
    }
  }
  const begin = async (): Promise<void> => {
    const opened = await connections.open()
    if (closed) return void opened.end().catch(() => undefined)
    client = opened
    opened.on('end', () => lose(opened))
    opened.on('error', () => lose(opened))
    opened.on('notification', ({ payload }) => {
      if (payload !== undefined) hear(payload)
    })
    try {
      await opened.query(`listen ${opened.escapeIdentifier(channel)}`)
    } catch (error) {
      client = undefined
      opened.end().catch(() => undefined)
      throw error
    }
    pause = firstPause
    timer = setTimeout(() => void check(opened), checkEvery)
    onListening()
  }

  await begin()
  return {
    isListening: () => client !== undefined,
    async close() {
      closed = true
      clearTimeout(timer)
      await client?.end().catch(() => undefined)
    },
  }
}
