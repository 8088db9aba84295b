import { Command } from 'commander'
import { expect, it } from 'vitest'
import { createProjectAnswer } from '../../../tests/worlds/project-answer.ts'
import type { CommandContext } from '../../cli/command-context.ts'
import { readAnswer } from '../../cli/read-answer.ts'
import { addInsightsCommands } from './print.ts'

const feedback = { up: 0, down: 0 }

it('lists conversations of older pages where the newest ones do not fit', async () => {
  const asked: string[] = []
  const printed: unknown[] = []
  const times = { createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00Z' }
  const found = { id: 'thr_1', ...times, questions: 1, lastQuestion: 'Why?', outcome: null, feedback }
  const answers: Record<string, unknown> = {
    '/admin/projects': [createProjectAnswer({ id: 'prj_1', domain: 'docs' })],
    '': { threads: [], nextCursor: '1.0.dGhyXzE' },
    '1.0.dGhyXzE': { threads: [found], nextCursor: null },
  }
  const read: CommandContext['read'] = async (schema, method, path) => {
    asked.push(path)
    const url = new URL(path, 'http://localhost')
    const answer = answers[url.pathname] ?? answers[url.searchParams.get('cursor') ?? '']
    return readAnswer(schema, answer, method)
  }
  const context = { read, print: (value: unknown) => void printed.push(value) } as unknown as CommandContext
  const program = new Command()
  addInsightsCommands(program, () => context)
  await program.parseAsync(['node', 'docwright', 'thread', 'list', '--text', 'why', '--limit', '5'])
  expect(printed).toEqual([{ threads: [found], nextCursor: null }])
  expect(asked.slice(1)).toEqual([
    '/v2/insights/prj_1/threads?text=why&limit=5',
    '/v2/insights/prj_1/threads?text=why&limit=5&cursor=1.0.dGhyXzE',
  ])
})
