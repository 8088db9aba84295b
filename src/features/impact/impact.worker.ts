import { answerTasks } from '../../lib/threads/answer-tasks.ts'
import { assess } from '../../site/impact/assess.ts'
import { reportOf } from '../../site/impact/report.ts'
import { createTermIndex } from '../../site/impact/term-index.ts'
import { decodeText } from '../../site/text/encoding.ts'
import type { ImpactThreadContract } from './impact-thread.ts'

/** Terms; about 100 MB. The index serves the next change too, and begins anew when it is full. */
const mostKept = 8_000_000

let index = createTermIndex()

answerTasks<ImpactThreadContract>(async (task, owner) => {
  if (index.size > mostKept) index = createTermIndex()
  owner.reading('the change')
  return reportOf(
    await assess(task, index, async (side, oids) =>
      (await owner.ask({ side, oids })).map((content) =>
        content === 'missing' ? undefined : (content && decodeText(content)?.text) ?? '',
      ),
    ),
  )
})
