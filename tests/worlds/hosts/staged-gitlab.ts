import { randomBytes, randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { z } from 'zod'
import { isOurs } from '../../../src/integrations/forges/comment-marker.ts'
import { addNote } from './gitlab/gitlab-notes.ts'
import { startFakeGitLab } from './gitlab/gitlab-server.ts'
import type { FakeGitLabState, FakeProject } from './gitlab/gitlab-state.ts'
import { fakeMerges } from './fake-merges.ts'
import { createFakeOrigin } from './fake-origin.ts'
import type { HostHappening, StagedHost } from './staged-host.ts'

const path = 'docs/team/handbook'
const [bot, maintainer, stranger] = [
  { id: 1, username: 'docs-bot', level: 40 },
  { id: 2, username: 'maintainer', level: 40 },
  { id: 3, username: 'stranger', level: 0 },
] as const

/** A self-managed GitLab below a path of its site. */
export async function stageGitLab(): Promise<StagedHost> {
  const origin = await createFakeOrigin()
  const project: FakeProject = { id: 7, path, origin, archived: false }
  const state: FakeGitLabState = {
    projects: [project],
    users: [{ ...bot }, { ...maintainer }, { ...stranger }],
    token: '',
    scopes: ['api'],
    bot: { ...bot },
    requests: [],
    notes: [],
    statuses: [],
    hooks: [],
    gitTroubles: [],
    merges: fakeMerges(),
    pageSize: 100,
  }
  const server = await startFakeGitLab(state)
  const secrets: string[] = []
  const find = (number: number) => {
    const request = state.requests.find((one) => one.iid === number)
    if (!request) throw new Error(`There is no merge request ${number}`)
    return request
  }
  const host: StagedHost = {
    name: 'gitlab',
    kind: 'gitlab',
    url: `${server.origin}/gitlab/${path}.git`,
    credential: { kind: 'token', token: '' },
    secrets: () => [...secrets, ...state.hooks.map((hook) => hookOf(hook).token)],
    server,
    gitTroubles: state.gitTroubles,
    origin,
    merges: state.merges,
    requests: () =>
      state.requests.map((one) => ({
        number: one.iid,
        head: one.source_branch,
        state: one.state === 'opened' ? 'open' : one.state,
      })),
    say: (number, body, who) => addNote(state, number, body, who === 'maintainer' ? maintainer : stranger).id,
    answers: (number) =>
      state.notes.filter((one) => one.iid === number && isOurs(one.body)).map(({ body }) => body),
    reactions: (said) => state.notes.find(({ id }) => id === said)?.awards ?? [],
    merge(number) {
      const request = find(number)
      const base = origin.head(request.target_branch) ?? ''
      const head = origin.head(request.source_branch) ?? ''
      origin.merge(request.target_branch, head)
      Object.assign(request, { state: 'merged', merged: { base, head } })
    },
    close: (number) => void (find(number).state = 'closed'),
    edit: (number, { title, body }) =>
      void Object.assign(find(number), { ...(title && { title }), ...(body && { description: body }) }),
    text: (number) => ({ title: find(number).title, body: find(number).description }),
    rename: (name) => void Object.assign(project, { formerly: project.path, path: `docs/team/${name}` }),
    written: () => JSON.stringify([state.requests, state.notes, state.statuses]),
    status: (commit) => state.statuses.findLast(({ sha }) => sha === commit)?.status,
    renew() {
      state.token = `glpat-${randomBytes(20).toString('hex')}`
      secrets.push(state.token)
      host.credential = { kind: 'token', token: state.token }
    },
    tell(happening) {
      const hook = hookOf(state.hooks[0])
      const { event, payload } = payloadOf(state, happening, origin.head)
      const body = JSON.stringify({ ...payload, project: { id: 7, path_with_namespace: project.path } })
      const [id, at] = [randomUUID(), new Date()]
      const headers = {
        'x-gitlab-event': event,
        'x-gitlab-token': hook.token,
        'x-gitlab-instance': server.origin,
        'x-gitlab-event-uuid': id,
        'idempotency-key': id,
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': new Webhook(hook.signing_token).sign(id, at, body),
      }
      return { url: hook.url, headers, body }
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await origin[Symbol.asyncDispose]()
    },
  }
  host.renew()
  return host
}

function hookOf(hook: unknown): { url: string; token: string; signing_token: string } {
  return z.object({ url: z.string(), token: z.string(), signing_token: z.string() }).parse(hook)
}

function payloadOf(
  state: FakeGitLabState,
  happening: HostHappening,
  head: (branch: string) => string | undefined,
): { event: string; payload: object } {
  if (happening.type === 'push') {
    const { branch } = happening
    const payload = { object_kind: 'push', ref: `refs/heads/${branch}`, after: head(branch) }
    return { event: 'Push Hook', payload }
  }
  if (happening.type === 'ended') {
    const { number: iid } = happening
    const isMerged = state.requests.some((one) => one.iid === iid && one.state === 'merged')
    const object_attributes = { iid, action: isMerged ? 'merge' : 'close' }
    return { event: 'Merge Request Hook', payload: { object_kind: 'merge_request', object_attributes } }
  }
  const said = state.notes.find(({ id }) => id === happening.said)
  const object_attributes = {
    id: said?.id,
    note: said?.body,
    noteable_type: 'MergeRequest',
    created_at: said?.created_at.replace('T', ' ').replace(/(\.\d+)?Z/, ' UTC'),
    system: false,
    action: 'create',
  }
  const user = { id: said?.author.id, username: said?.author.username }
  return {
    event: 'Note Hook',
    payload: { object_kind: 'note', user, object_attributes, merge_request: { iid: said?.iid } },
  }
}
