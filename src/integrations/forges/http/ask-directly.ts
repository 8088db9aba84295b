import { endingSignal } from '../../../lib/ending-signal.ts'
import type { HostPorts } from '../host.ts'
import { sendRequest, type WholeAnswer } from './send-request.ts'

/** Sends one GET without a credential, to find out what an address is; undefined when there is no readable answer. */
export async function askDirectly(
  ports: HostPorts,
  address: string,
  milliseconds = 10_000,
): Promise<WholeAnswer | undefined> {
  if (!URL.canParse(address)) return undefined
  using waiting = endingSignal({ milliseconds })
  const request = {
    method: 'GET',
    headers: { accept: 'application/json', 'user-agent': 'docwright' },
    signal: waiting.signal,
  }
  return await sendRequest(ports.fetch, new URL(address), request, 1024 * 1024).catch(() => undefined)
}
