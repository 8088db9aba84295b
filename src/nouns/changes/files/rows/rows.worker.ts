import { answerTasks, type Owner } from '../../../../lib/threads/answer-tasks.ts'
import { colourFile } from '../../../../api/render/code/colour-lines.ts'
import type { ReviewThread, SourceTask } from '../review-data.ts'
import { renderedRows } from './rendered-rows.ts'
import { rawRows, sourceRows, type Colours, type RawRow } from './source-rows.ts'

interface SourceFile {
  rows: RawRow[]
  colours: Colours
}

/** Files that were read, because somebody who asks for one part asks for more. */
const kept = new Map<string, SourceFile>()
const mostKept = 20
const mostRows = 300_000

answerTasks<ReviewThread>(async (task, owner) => {
  if (task.kind === 'source') {
    const key = `${task.coloured ? 'coloured' : 'plain'} ${task.id}`
    const file = kept.get(key) ?? (await readFile(task, owner))
    if (!file) return undefined
    keep(key, file)
    return JSON.stringify(sourceRows(file.rows, file.colours, task.window))
  }
  try {
    const window = await renderedRows(task, async (asked) => {
      const reply = await owner.ask(asked)
      if ('texts' in reply) throw new Error('Addresses were asked for')
      return reply
    })
    return window && JSON.stringify(window)
  } catch (error) {
    // Nested deeper than the stack allows: the page is shown as its source.
    if (error instanceof RangeError) return undefined
    throw error
  }
})

async function readFile(
  task: SourceTask,
  { ask }: Pick<Owner<ReviewThread>, 'ask'>,
): Promise<SourceFile | undefined> {
  const reply = await ask('texts')
  const texts = 'texts' in reply ? reply.texts : undefined
  if (!texts) return undefined
  const { before, after } = texts
  return {
    rows: rawRows(task, texts, task.window.whole),
    colours: {
      before: task.coloured && before ? await colourFile(before.id, task.oldPath, before.text) : undefined,
      after: task.coloured && after ? await colourFile(after.id, task.path, after.text) : undefined,
    },
  }
}

/** What was asked for last is dropped last. */
function keep(key: string, file: SourceFile): void {
  kept.delete(key)
  kept.set(key, file)
  let rows = [...kept.values()].reduce((sum, one) => sum + one.rows.length, 0)
  for (const [oldest, { rows: dropped }] of kept) {
    if (oldest === key || (rows <= mostRows && kept.size <= mostKept)) break
    kept.delete(oldest)
    rows -= dropped.length
  }
}
