import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Listening } from './start-server.ts'

/** Milliseconds for which requests are still answered as ever, so that proxies notice before anything is refused. */
const noticeTime = 200
/** Milliseconds that open answers get to finish. */
const drainTime = 4000
/** Milliseconds that streams get to say that they end. */
const lastTime = 500

interface Steps {
  /** The server takes no more connections. */
  closed(): void
  endStreams(): void
}

/** Closes the server so that no request is lost: those under way finish, and the remaining streams end with an error frame. */
export async function drain({ server, answers }: Listening, { closed, endStreams }: Steps): Promise<void> {
  const answered = async (milliseconds: number): Promise<void> => {
    const until = Date.now() + milliseconds
    while (answers.size > 0 && Date.now() < until) await delay(20)
  }
  // A proxy sends its next request over another connection, and so to another server where there is one.
  for (const response of answers) closeAfter(response)
  server.prependListener('request', (_, response: ServerResponse) => closeAfter(response))
  await delay(noticeTime)
  // This closes idle connections too, which browsers and proxies keep open.
  server.close()
  closed()
  await answered(drainTime)
  endStreams()
  await answered(lastTime)
  server.closeAllConnections()
}

function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close')
}
