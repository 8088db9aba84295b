import { FactsCache } from '../../site/checks/facts-cache.ts'
import { answerTasks } from '../../lib/threads/answer-tasks.ts'
import { type Session, openSession } from './session.ts'
import type { ToolboxContract } from './thread-tasks.ts'

const maxSessions = 30

const cache = new FactsCache()
const sessions = new Map<number, { version: number; session: Session }>()

answerTasks<ToolboxContract>(async (task, owner) => {
  if (task.kind === 'start') return { kind: 'done' }
  const known = sessions.get(task.session)
  sessions.delete(task.session)
  if (task.kind === 'close') return { kind: 'done' }
  const { session: id, version, state, work } = task
  if (state === undefined && known?.version !== version) return { kind: 'unknown' }
  const session = state === undefined ? known?.session : await openSession(owner, cache, state)
  if (session === undefined) return { kind: 'unknown' }
  const answer = await session(work)
  // Only now: one that failed in the middle may be half changed. Those that are dropped here come again when needed.
  sessions.set(id, { version: work.kind === 'call' ? version + 1 : version, session })
  for (const oldest of sessions.keys()) {
    if (sessions.size <= maxSessions) break
    sessions.delete(oldest)
  }
  return answer
})
