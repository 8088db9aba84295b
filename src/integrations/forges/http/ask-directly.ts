import type { HostPorts } from '../host.ts'
import { sendRequest, type WholeAnswer } from './send-request.ts'

/** Sends one GET without a credential, to find out what an address is; undefined when there is no readable answer. */
export async function askDirectly(
  ports: HostPorts,
  address: string,
  milliseconds = 10_000,
): Promise<WholeAnswer | undefined> {
  if (!URL.canParse(address)) return undefined
  const request = {
    method: 'GET',
    headers: { accept: 'application/json', 'user-agent': 'docwright' },
    signal: AbortSignal.timeout(milliseconds),
  }
  return sendRequest(ports.fetch, new URL(address), request, 1024 * 1024).catch(() => undefined)
}
