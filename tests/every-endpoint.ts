import { z } from '@hono/zod-openapi'
import type { Verb } from '../src/features/projects/rights.ts'
import { createEndpoints, type ServerState } from '../src/start/endpoints.ts'
import type { Endpoint } from '../src/api/endpoint.ts'
import type { Services } from '../src/start/services.ts'

/** Every endpoint of the product, to be looked at: endpoints only keep what they are given until they are asked. */
export function everyEndpoint(): Endpoint[] {
  const nothing = {} as never
  const services = {
    config: { trustedProxies: [] },
    hosts: { ports: {} },
    store: {},
    models: {},
  } as unknown as Services
  const state = { publicUrl: () => '', metrics: nothing, operatorToken: '' } as unknown as ServerState
  return createEndpoints(services, state)
}

/** Where something can be asked for, or done. */
export interface Address {
  method: string
  path: string
  /** A page or a form for browsers. */
  isPage: boolean
  /** The operation of an endpoint or of a form. */
  verb: Verb | undefined
  /** The parameters that an operation takes. */
  query: string[]
}

/** Names of what a path or a body may name, by the segment before it, or by its own name. */
export type Names = Record<string, string>

export const addresses: Address[] = everyEndpoint().map(({ route, formOf }) => ({
  method: route.method.toUpperCase(),
  path: route.path,
  isPage: route.hide === true,
  verb: formOf ?? (route.operationId as Verb | undefined),
  query: route.request?.query instanceof z.ZodObject ? Object.keys(route.request.query.shape) : [],
}))

/** What does not exist. */
export const nothing: Names = {
  projectId: 'prj_nothing',
  domain: 'nothing',
  organization: 'org_nothing',
  job: 'job_nothing',
  webhooks: 'whk_nothing',
  messageId: 'msg_nothing',
  keys: 'key_nothing',
  number: '2',
  thread: 'thr_nothing',
  threadId: 'thr_nothing',
  question: '4711',
  statusId: 'prj_nothing.a1',
  automation: 'aut_nothing',
  run: 'run_nothing',
  gap: 'gap_nothing',
  pinned: 'pin_nothing',
  app: 'app_nothing',
  comment: 'cmt_nothing',
  chat: 'cht_nothing',
  channel: 'C00000000',
  person: 'per_nothing',
  invitation: 'inv_nothing',
  session: 'ses_nothing',
  passkey: 'log_nothing',
  login: 'log_nothing',
  name: 'nothing',
  commit: '0'.repeat(40),
  oid: '0'.repeat(40),
}

/** What most bodies and forms ask for, and what they name. What one does not ask for is left alone. */
export function bodyOf(verb: Verb | undefined, names: Names): Record<string, unknown> {
  const message = {
    id: 'm',
    role: 'user',
    content: 'Old words',
    parts: [{ type: 'text', text: 'Old words' }],
  }
  return {
    prompt: 'Fix broken links',
    url: 'https://receiver.invalid/hooks',
    name: 'Taken',
    location: 'https://receiver.invalid/a/b',
    path: 'index.md',
    line: 1,
    endLine: 1,
    body: 'Taken',
    viewed: true,
    role: 'viewer',
    question: 'Old words',
    query: 'Old words',
    fp: names['domain'],
    messageId: 'msg_nothing',
    messages: [message],
    rating: 'up',
    from: names['gap'],
    kind: verb === 'createKey' ? 'assistant' : 'host',
    value: 'example.com',
    project: names['domain'],
    days: 7,
    allowed: true,
    hidden: true,
    organization: names['organization'],
    person: names['person'],
    invitation: names['invitation'],
    session: names['session'],
    id: names['keys'],
    thread: names['thread'],
  }
}

function nameAt(segments: string[], at: number): string {
  const name = segments[at]?.slice(1, -1) ?? ''
  return name === 'id' ? (segments[at - 1] ?? '').replace('jobs', 'job') : name
}

/** The path with names in the place of its parameters. */
export function pathOf({ path }: Address, names: Names): string {
  const segments = path.split('/')
  return segments
    .map((segment, at) =>
      segment === '*'
        ? 'index'
        : segment.startsWith('{')
          ? encodeURIComponent(names[nameAt(segments, at)] ?? '')
          : segment,
    )
    .join('/')
}
