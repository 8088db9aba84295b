import { answerTasks } from '../../../../lib/threads/answer-tasks.ts'
import type { ReviewThread } from '../review-data.ts'
import { colourLines } from './colour-lines.ts'
import { renderedRows } from './rendered-rows.ts'
import { sourceRows } from './source-rows.ts'

answerTasks<ReviewThread>(async (task, owner) => {
  if (task.kind === 'source') {
    const { path, oldPath, before, after, coloured } = task
    const colours = {
      before: coloured && before ? await colourLines(before.id, oldPath, before.text) : undefined,
      after: coloured && after ? await colourLines(after.id, path, after.text) : undefined,
    }
    return JSON.stringify(sourceRows(task, colours))
  }
  try {
    const window = await renderedRows(task, owner.ask)
    return window && JSON.stringify(window)
  } catch (error) {
    // Nested deeper than the stack allows: the page is shown as its source.
    if (error instanceof RangeError) return undefined
    throw error
  }
})
