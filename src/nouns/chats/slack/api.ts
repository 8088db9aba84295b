import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { endingSignal } from '../../../lib/ending-signal.ts'
import { AppError, messageOf } from '../../../lib/errors.ts'
import type { TestedToken } from '../platform.ts'
import { botScopes } from './manifest.ts'

const answered = z.looseObject({ ok: z.boolean(), error: z.string().optional() })
type Answered = z.output<typeof answered>

/** Milliseconds that Slack may take. */
const patience = 10_000
/** How often, and for how many seconds at most, Slack may have calls wait. */
const patienceWithLimits = { times: 3, seconds: 30 }

/**
 * Calls a method once, after the wait that Slack asks for where calls are too many. Nothing else is tried again, so that whoever
 * calls knows what may have happened.
 * @throws AppError `invalid` for what Slack refuses, `unavailable` when it does not answer
 */
export async function askSlack(
  api: string,
  token: string,
  method: string,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<Answered> {
  return (await call(api, token, method, fields)).answer
}

async function call(
  api: string,
  token: string,
  method: string,
  fields: Readonly<Record<string, unknown>>,
  waited = 0,
): Promise<{ answer: Answered; scopes: string[] | undefined }> {
  using waiting = endingSignal({ milliseconds: patience })
  const body = new URLSearchParams(
    Object.entries(fields).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  )
  const { json, scopes, wait } = await fetch(new URL(method, api), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body,
    signal: waiting.signal,
  })
    .then(async (response) => ({
      json: await response.json(),
      wait: response.status === 429 ? Number(response.headers.get('retry-after') ?? 1) : undefined,
      scopes: response.headers
        .get('x-oauth-scopes')
        ?.split(',')
        .map((scope) => scope.trim()),
    }))
    .catch((error: unknown) => {
      throw new AppError('unavailable', `Slack did not answer: ${messageOf(error)}. Try again`)
    })
  if (wait !== undefined && wait <= patienceWithLimits.seconds && waited < patienceWithLimits.times) {
    await delay(wait * 1000)
    return call(api, token, method, fields, waited + 1)
  }
  const answer = answered.safeParse(json).data
  if (!answer?.ok) throw new AppError('invalid', answer?.error ?? 'Slack answered something else')
  return { answer, scopes }
}

const tested = z.looseObject({
  team: z.string().optional(),
  team_id: z.string(),
  user_id: z.string(),
})

/**
 * Asks Slack whose a bot token is.
 * @throws AppError `invalid` for a token that Slack refuses, `unavailable` when it does not answer
 */
export async function testToken(api: string, botToken: string): Promise<TestedToken> {
  const { answer, scopes } = await call(api, botToken, 'auth.test', {}).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'invalid' ? refused(error.message) : error
  })
  const read = tested.safeParse(answer).data
  if (!read) throw refused('it is of no app')
  const missing = scopes === undefined ? [] : botScopes.filter((scope) => !scopes.includes(scope))
  return {
    workspace: read.team_id,
    name: read.team ?? read.team_id,
    bot: read.user_id,
    problem: missing.length === 0 ? undefined : `The token lacks scopes: ${missing.join(', ')}`,
  }
}

function refused(why: string): AppError {
  return new AppError(
    'invalid',
    `Slack refused the bot token: ${why}. Copy the “Bot User OAuth Token” of the installed app`,
  )
}
