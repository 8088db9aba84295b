import { keyedHash, type SecretKey } from '../../../lib/secret-box.ts'
import { sessionCookieName } from '../../../api/session-cookie.ts'
import { createAttempts } from './count-attempts.ts'
import { createIdentify } from './identify.ts'
import type { Providers } from './providers.ts'
import type { SessionPorts } from './session.ts'

/** What signing in needs, from the server that people reach. */
export function createSessionPorts({
  providers,
  secretKey,
  reportProblem,
  ...server
}: Pick<SessionPorts, 'store' | 'publicUrl' | 'clientAddress'> & {
  providers: Providers
  secretKey: SecretKey
  reportProblem(message: string): void
}): SessionPorts {
  const { store, publicUrl } = server
  const identify = createIdentify({
    store,
    secret: () => keyedHash(secretKey, 'docwright sign-in'),
    publicUrl,
    sessionCookie: () => sessionCookieName(publicUrl()),
    providers,
    reportProblem,
  })
  return { ...server, attempts: createAttempts(store), identify }
}
