import { answerTasks } from '../../lib/threads/answer-tasks.ts'
import { assess } from '../../site/impact/assess.ts'
import { readChangeMap } from '../../site/impact/change-map.ts'
import { choosePages } from '../../site/impact/choose-pages.ts'
import { reportOf } from '../../site/impact/report.ts'
import { createTermIndex } from '../../site/impact/term-index.ts'
import { decodeText } from '../../site/text/encoding.ts'
import type { ImpactThreadContract } from './impact-thread.ts'

/** Terms; about 100 MB. The index serves the next change too, and begins anew when it is full. */
const mostKept = 8_000_000

let index = createTermIndex()

answerTasks<ImpactThreadContract>(async ({ map: file, root, ...task }, owner) => {
  if (index.size > mostKept) index = createTermIndex()
  owner.reading('the map of code and pages')
  const map = readChangeMap(file && decodeText(file)?.text)
  const changed = task.changed.map(({ path }) => path)
  const { pages, leftOut } = choosePages(task.pages, changed, { root, map })
  owner.reading('the change')
  const assessment = await assess({ ...task, pages }, index, async (side, oids) =>
    (await owner.ask({ side, oids })).map((content) =>
      content === 'missing' ? undefined : ((content && decodeText(content)?.text) ?? ''),
    ),
  )
  return { ...reportOf(assessment), compared: pages.length, leftOut, mapProblem: map.problem }
})
