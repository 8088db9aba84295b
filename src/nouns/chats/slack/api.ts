import { z } from 'zod'
import { endingSignal } from '../../../lib/ending-signal.ts'
import { AppError, messageOf } from '../../../lib/errors.ts'

const tested = z.object({
  ok: z.boolean(),
  error: z.string().optional(),
  team: z.string().optional(),
  team_id: z.string().optional(),
  user_id: z.string().optional(),
})

/** Milliseconds that Slack may take to say whom a token belongs to. */
const patience = 10_000

/**
 * Asks Slack whose a bot token is.
 * @throws AppError `invalid` for a token that Slack refuses, `unavailable` when it does not answer
 */
export async function testToken(
  api: string,
  botToken: string,
): Promise<{ workspace: string; name: string; bot: string }> {
  using waiting = endingSignal({ milliseconds: patience })
  const answer = await fetch(new URL('auth.test', api), {
    method: 'POST',
    headers: { authorization: `Bearer ${botToken}` },
    signal: waiting.signal,
  })
    .then((response): Promise<unknown> => response.json())
    .catch((error: unknown) => {
      throw new AppError('unavailable', `Slack did not answer: ${messageOf(error)}. Try again`)
    })
  const read = tested.safeParse(answer).data
  if (!read?.ok || read.team_id === undefined || read.user_id === undefined)
    throw new AppError(
      'invalid',
      `Slack refused the bot token: ${read?.error ?? 'it is of no app'}. Copy the “Bot User OAuth Token” of the installed app`,
    )
  return { workspace: read.team_id, name: read.team ?? read.team_id, bot: read.user_id }
}
