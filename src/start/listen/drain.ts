import type { ServerResponse } from 'node:http'
import { waitTurns } from '../../lib/wait-turns.ts'
import type { Listening } from './start-server.ts'

/** For so long requests are still answered as ever, so that proxies notice before anything is refused. */
const notice = { milliseconds: 200, turns: 10 }
/** What open answers get to finish. */
const finish = { milliseconds: 4000, turns: 10 }
/** What streams get to say that they end. */
const lastWords = { milliseconds: 500, turns: 50 }

interface Steps {
  /** The server takes no more connections. */
  closed(): void
  endStreams(): void
}

/** Closes the server so that no request is lost: those under way finish, and the remaining streams end with an error frame. */
export async function drain({ server, answers }: Listening, { closed, endStreams }: Steps): Promise<void> {
  const isAnswered = (): boolean => answers.size === 0
  // A proxy sends its next request over another connection, and so to another server where there is one.
  for (const response of answers) closeAfter(response)
  server.prependListener('request', (_, response: ServerResponse) => closeAfter(response))
  await waitTurns(notice, () => false)
  // This closes idle connections too, which browsers and proxies keep open.
  server.close()
  closed()
  await waitTurns(finish, isAnswered)
  endStreams()
  await waitTurns(lastWords, isAnswered)
  server.closeAllConnections()
}

function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close')
}
