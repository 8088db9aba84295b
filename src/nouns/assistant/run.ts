import { readTraced, type TracePorts } from './trace-answer.ts'
import { deed } from '../../verbs/verb.ts'
import * as verbs from './verbs.ts'

/** Asks as a reader would, and tells how the answer comes about. */
const traceAnswer = deed(verbs.traceAnswer, async (ports: TracePorts, { project, context }, input) => {
  await ports.limits.look(context, project)
  const pieces = readTraced(ports, context, project, input)
  for (;;) {
    const { done, value } = await pieces.next()
    if (done !== true) continue
    const { pageCount: pages, sync } = project
    const index = { pages, commit: sync.commit ?? null, syncedAt: sync.at?.toISOString() ?? null }
    return { ...value, missing: [...value.missing], index }
  }
})

export const traceDeeds = [traceAnswer]
