import { z } from 'zod'
import type { ApiAnswer, ApiRequest } from '../described-server.ts'
import { example, notFound, page } from './github-bodies.ts'
import type { GitHubState } from './github-state.ts'

export function routeHooks(
  fake: GitHubState,
  request: ApiRequest,
  id: string | undefined,
  body: Record<string, unknown>,
): ApiAnswer {
  const toBody = (hook: { id: number; body: Record<string, unknown> }): unknown => {
    const config = { ...z.record(z.string(), z.unknown()).parse(hook.body['config']), secret: '********' }
    return { ...example('hook'), id: hook.id, ...hook.body, config }
  }
  if (request.method === 'GET') return page(request, fake.hooks.map(toBody))
  if (request.method === 'POST') {
    const hook = { id: fake.hooks.length + 1, body }
    fake.hooks.push(hook)
    return { status: 201, body: toBody(hook) }
  }
  const hook = fake.hooks.find((one) => one.id === Number(id))
  if (!hook) return notFound
  if (request.method === 'DELETE') {
    fake.hooks.splice(fake.hooks.indexOf(hook), 1)
    return { status: 204 }
  }
  hook.body = { ...hook.body, ...body }
  return { status: 200, body: toBody(hook) }
}
