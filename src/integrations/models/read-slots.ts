import { endingSignal } from '../../lib/ending-signal.ts'
import { isRecord } from '../../lib/is-record.ts'
import { jsonOf } from '../../lib/text/json-of.ts'

/** Milliseconds. */
const patience = 2000

/**
 * How many calls a server of llama.cpp answers at once, as it says; undefined for other servers, and when it is away.
 * @param url the whole address of its interface
 */
export async function readSlots(url: string): Promise<number | undefined> {
  using waiting = endingSignal({ milliseconds: patience })
  const { signal } = waiting
  try {
    const response = await fetch(url.replace(/\/v\d\w{0,9}\/?$/, '') + '/props', { signal })
    const text = await response.text()
    const props = text.length > 1_000_000 ? undefined : jsonOf(text)
    const slots = isRecord(props) ? props['total_slots'] : undefined
    return typeof slots === 'number' && slots >= 1 ? Math.floor(slots) : undefined
  } catch {
    return undefined
  }
}
