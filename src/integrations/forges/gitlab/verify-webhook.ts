import { createHash, timingSafeEqual } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { AppError, messageOf } from '../../../lib/errors.ts'

/** The key that GitLab signs with, in the only form it takes: made of our secret, which may have any. */
export function signingToken(secret: string): string {
  return `whsec_${createHash('sha256').update(secret).digest('base64')}`
}

/**
 * The secret itself comes in a header; from newer ones a signature over body and time as well.
 * @throws AppError `unauthorized`
 */
export function verifyWebhook(headers: Headers, body: Uint8Array, secret: string): void {
  // Without a secret anybody could know it.
  if (secret === '') throw new AppError('unauthorized', 'The webhook has no secret: set it up again')
  const token = headers.get('x-gitlab-token')
  const isSigned = headers.has('webhook-signature')
  if (token === null && !isSigned) {
    throw new AppError('unauthorized', 'The webhook has no secret: set one for it on GitLab')
  }
  if (token !== null && !timingSafeEqual(digest(token), digest(secret))) {
    throw new AppError('unauthorized', 'The webhook has a wrong secret: set it up again')
  }
  if (!isSigned) return
  try {
    new Webhook(signingToken(secret)).verify(Buffer.from(body), Object.fromEntries(headers), {
      jsonParse: false,
    })
  } catch (error) {
    throw new AppError('unauthorized', `The signature of the webhook is wrong: ${messageOf(error)}`, {
      cause: error,
    })
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
