import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { afterAll, expect, it } from 'vitest'
import { entrances, known, pieces } from './hostile-text/entrances.ts'

/**
 * Repeated to this length, a text is read in a few hundredths of a second of CPU, and takes seconds where the time grows with
 * its cube or worse. What grows with the square is the matter of regular-expressions.test.ts. The bound, in
 * milliseconds of CPU, lies far from both; what never ends is ended by the deadline.
 */
const [length, mostCpu] = process.env['TEST_ALL'] === undefined ? [1000, 1500] : [8000, 30_000]
const deadline = 60_000
const worker = new URL('./hostile-text/read-hostile-text.worker.ts', import.meta.url)
let reader: Worker | undefined

afterAll(async () => {
  await reader?.terminate()
})

it.each(Object.keys(entrances))(
  'takes no longer for text that is made to take long: %s',
  async (entrance) => {
    const late: string[] = []
    for (const piece of pieces) {
      const text = piece.repeat(Math.ceil(length / piece.length)).slice(0, length)
      if (!(await isRead(entrance, `x ${text} x`))) late.push(piece)
    }
    for (const text of known) if (!(await isRead(entrance, `${text}\n`))) late.push(text.slice(0, 50))
    expect(late).toEqual([])
  },
)

async function isRead(entrance: string, text: string): Promise<boolean> {
  reader ??= new Worker(worker)
  const asked = reader
  const answered = once(asked, 'message').then(
    ([answer]: { cpu: number }[]) => answer !== undefined && answer.cpu < mostCpu,
  )
  asked.postMessage({ entrance, text })
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, deadline, false)
  })
  const isInTime = await Promise.race([answered, late]).finally(() => clearTimeout(timer))
  if (!isInTime) {
    reader = undefined
    answered.catch(() => {})
    await asked.terminate()
  }
  return isInTime
}
