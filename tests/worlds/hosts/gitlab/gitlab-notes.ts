import type { ApiAnswer, ApiRequest } from '../described-server.ts'
import { notFound, page, person, segmentsOf } from './gitlab-answers.ts'
import { nextId, nextTime, type FakeGitLabState, type FakeNote, type FakeUser } from './gitlab-state.ts'

/** @param rest what follows `…/merge_requests/1/notes` */
export function answerNotes(state: FakeGitLabState, request: ApiRequest, rest: string[]): ApiAnswer {
  const iid = Number(segmentsOf(request)[3])
  if (!state.requests.some((one) => one.iid === iid)) return notFound('')
  if (request.method === 'PUT') {
    const note = state.notes.find((one) => one.iid === iid && String(one.id) === rest[0])
    if (!note) return notFound('')
    note.body = (request.body as { body: string }).body
    return { status: 200, body: show(note) }
  }
  if (rest.length > 0) return award(state, rest[0], request.body as { name: string })
  if (request.method === 'POST') {
    const { body } = request.body as { body: string }
    return { status: 201, body: show(addNote(state, iid, body, state.bot)) }
  }
  const notes = state.notes.filter((note) => note.iid === iid)
  const sorted = request.query.get('sort') === 'asc' ? notes : notes.toReversed()
  return page(request, sorted.map(show), state.pageSize)
}

export function addNote(
  state: FakeGitLabState,
  iid: number,
  body: string,
  author: FakeUser,
  more: Partial<FakeNote> = {},
): FakeNote {
  const at = nextTime()
  const note = { id: nextId(), iid, body, author, created_at: at, system: false, internal: false, awards: [] }
  state.notes.push({ ...note, ...more })
  return { ...note, ...more }
}

function award(state: FakeGitLabState, id: string | undefined, { name }: { name: string }): ApiAnswer {
  const note = state.notes.find((one) => String(one.id) === id)
  if (!note) return notFound('')
  if (note.awards.includes(name)) return notFound('Award Emoji Name has already been taken ')
  note.awards.push(name)
  return { status: 201, body: { id: nextId(), name, user: person(state.bot), awardable_id: note.id } }
}

function show({ id, iid, body, author, created_at, system, internal, position }: FakeNote): unknown {
  return {
    id,
    type: position ? 'DiffNote' : null,
    body,
    author: person(author),
    created_at,
    system,
    internal,
    confidential: internal,
    noteable_type: 'MergeRequest',
    noteable_iid: iid,
    ...(position ? { position } : {}),
  }
}
