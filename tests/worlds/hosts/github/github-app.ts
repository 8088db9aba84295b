import { verify } from 'node:crypto'
import { z } from 'zod'
import type { ApiAnswer, ApiRequest } from '../described-server.ts'
import { example, invalid, notFound, seconds } from './github-bodies.ts'
import type { GitHubState } from './github-state.ts'

/** What an app asks by its own token: where it is installed, and for tokens of an installation. */
export function routeApp(fake: GitHubState, request: ApiRequest, parts: string[], jwt: string): ApiAnswer {
  const { app, ahead, installed, lasting } = fake.settings
  const wrong =
    app === undefined ? 'A JSON web token could not be decoded' : checkJwt(jwt, app, Date.now() + ahead)
  if (app === undefined || wrong !== undefined) {
    return { status: 401, body: { message: wrong, documentation_url: 'https://docs.github.com/rest' } }
  }
  if (parts[0] === 'repos') {
    if (!installed) return notFound
    const suspended = app.suspended ? { suspended_at: seconds(new Date()) } : {}
    return {
      status: 200,
      body: {
        ...example('installation'),
        id: 42,
        app_slug: 'docwright',
        permissions: app.permissions,
        ...suspended,
      },
    }
  }
  const [name] = z.object({ repositories: z.string().array().default([]) }).parse(request.body).repositories
  if (name !== undefined && name !== fake.settings.name.split('/')[1])
    return invalid(
      'There is at least one repository that does not exist or is not accessible to the parent installation.',
    )
  const wanted = z.object({ permissions: z.record(z.string(), z.string()) }).parse(request.body).permissions
  if (
    Object.entries(wanted).some(
      ([name, level]) => app.permissions[name] !== level && app.permissions[name] !== 'write',
    )
  ) {
    return invalid('The permissions requested are not granted to this installation.')
  }
  fake.issued.push(request.body)
  const token = `ghs_${fake.issued.length}${fake.settings.tail}`
  fake.tokens.set(token, wanted)
  const expires = seconds(new Date(Date.now() + ahead + lasting))
  return {
    status: 201,
    body: { ...example('installationToken'), token, expires_at: expires, permissions: wanted },
  }
}

function checkJwt(jwt: string, app: { id: string; publicKey: string }, now: number): string | undefined {
  const [header = '', claims = '', signature = ''] = jwt.split('.')
  const isSigned = verify(
    'sha256',
    Buffer.from(`${header}.${claims}`),
    app.publicKey,
    Buffer.from(signature, 'base64url'),
  )
  if (!isSigned) return 'A JSON web token could not be decoded'
  const { iat, exp, iss } = z
    .object({ iat: z.number(), exp: z.number(), iss: z.string() })
    .parse(JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')))
  if (iss !== app.id) return 'Integration not found'
  if (iat * 1000 > now + 1000)
    return "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued"
  if (exp * 1000 > now + 600_000) return "'Expiration time' claim ('exp') is too far in the future"
  return exp * 1000 < now
    ? "'Expiration time' claim ('exp') must be a numeric value in the future"
    : undefined
}
