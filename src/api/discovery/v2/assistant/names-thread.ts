import type { RequestContext } from '../../../endpoint.ts'
import type { MessageBody } from './message-body.ts'

/** The ids that AI SDK makes for messages: 16 letters and digits, while others of that length are hexadecimal. */
const sdkId = /^(?=.*[G-Zg-z])[A-Za-z0-9]{16}$/
/** As AI SDK names itself since 5.0.43. */
const sdkAgent = /(?:^|\s)ai(?:-sdk)?\//i

/**
 * Whether the frame `finish` may name the thread. AI SDK hides that key from the page, and most of its released versions
 * throw away an answer with a key that they do not know. Pages often build the body themselves and leave out what would
 * show their client, so whatever else shows it counts too. `X-Stream-Strict` decides by hand.
 */
export function namesThread({ req }: Pick<RequestContext, 'req'>, body: SentBody): boolean {
  const strict = req.header('x-stream-strict')
  if (strict === '0' || strict === '1') return strict === '0'
  return !(
    body.trigger !== undefined ||
    req.header('origin') !== undefined ||
    sdkAgent.test(req.header('user-agent') ?? '') ||
    body.messages.some(
      ({ id, parts }) => sdkId.test(id ?? '') || parts.some(({ type }) => type === 'step-start'),
    )
  )
}

type SentBody = Pick<MessageBody, 'trigger' | 'messages'>
