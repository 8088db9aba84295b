import { Command } from 'commander'
import { expect, it } from 'vitest'
import type { CommandContext } from './command-context.ts'
import { addInsightsCommands } from './insights-commands.ts'

it('lists conversations of older pages where the newest ones do not fit', async () => {
  const asked: string[] = []
  const printed: unknown[] = []
  const found = { id: 'thr_1', updatedAt: '2026-01-01T00:00:00Z', questions: 1, lastQuestion: 'Why?' }
  const answers: Record<string, unknown> = {
    '/admin/projects': [{ id: 'prj_1', domain: 'docs' }],
    '': { threads: [], nextCursor: 'older' },
    older: { threads: [found], nextCursor: null },
  }
  const json = async <T>(_: string, path: string): Promise<T> => {
    asked.push(path)
    const url = new URL(path, 'http://localhost')
    return (answers[url.pathname] ?? answers[url.searchParams.get('cursor') ?? '']) as T
  }
  const context = { json, print: (value: unknown) => void printed.push(value) } as unknown as CommandContext
  const program = new Command()
  addInsightsCommands(program, () => context)
  await program.parseAsync(['node', 'docwright', 'thread', 'list', '--text', 'why', '--limit', '5'])
  expect(printed).toEqual([{ threads: [found], nextCursor: null }])
  expect(asked.slice(1)).toEqual([
    '/v2/insights/prj_1/threads?limit=5&text=why',
    '/v2/insights/prj_1/threads?limit=5&text=why&cursor=older',
  ])
})
