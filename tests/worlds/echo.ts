import { AppError } from '../../src/lib/errors.ts'
import { answerTasks } from '../../src/lib/threads/answer-tasks.ts'

export interface Echo {
  task: { kind: 'echo' | 'spin' | 'ask' | 'many' | 'grow' | 'throw'; text: string }
  answer: string
  request: string
  reply: string
}

answerTasks<Echo>(async ({ kind, text }, owner) => {
  owner.reading(text)
  switch (kind) {
    case 'spin':
      for (;;);
    case 'ask':
      return owner.ask(text)
    case 'many':
      for (let count = 0; count < 6; count++) {
        owner.reading(`${text} ${count}`)
        spin(300)
      }
      return text
    case 'grow': {
      const kept: number[][] = []
      for (;;) kept.push(Array.from({ length: 10_000 }, (_, index) => index))
    }
    case 'throw':
      throw new AppError('not_found', text)
    default:
      return text
  }
})

/** Works for so much processor time, however busy the machine is: deadlines count that. */
function spin(milliseconds: number): void {
  const before = process.threadCpuUsage()
  const used = (): number => {
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1000
  }
  while (used() < milliseconds);
}
