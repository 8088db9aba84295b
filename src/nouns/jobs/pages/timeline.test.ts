import { expect, it } from 'vitest'
import type { JobEvent } from '../../../features/agent/events.ts'
import { timeline } from './timeline.ts'

function events(...all: [JobEvent['type'], JobEvent['data']?][]): JobEvent[] {
  return all.map(([type, data = {}], index) => ({
    n: index + 1,
    turn: 1,
    type,
    data,
    createdAt: new Date(Date.UTC(2026, 0, 1, 9, index)),
  }))
}

const tool = (name: string, description: string): [JobEvent['type'], JobEvent['data']] => [
  'tool',
  { tool: name, description, ok: true },
]

async function told(some: JobEvent[]): Promise<string[]> {
  const text = (await timeline(some)).toString()
  return [...text.matchAll(/class="what">([^]*?)<\/span>\s*(?:<details|<\/div>)/g)].map(([, line = '']) =>
    line
      .replaceAll(/<[^<>]*>/g, '')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  )
}

it('tells steps of one kind that follow each other as one', async () => {
  expect(
    await told(
      events(
        ['turn.queued'],
        ['turn.started', { branch: 'b' }],
        ['step', { step: 1 }],
        tool('grep', 'Find "berth"'),
        tool('read_file', 'Read a.md'),
        ['step', { step: 2 }],
        tool('read_file', 'Read a.md'),
        tool('read_file', 'Read b.md'),
        tool('edit_file', 'Edit a.md'),
        ['file.changed', { path: 'a.md', change: 'written' }],
        tool('check', 'Check links'),
        ['checks', { errors: 0, warnings: 1 }],
      ),
    ),
  ).toEqual(['Started b', 'Searched once, read 2 files', 'Changed a.md', 'Checked: 0 problems, 1 warning'])
})

it('shows the last steps of a long turn, and names what came before', async () => {
  const many = Array.from({ length: 40 }, (_, n) =>
    n % 2 === 0 ? tool('grep', 'Find "x"') : tool('edit_file', '<b>Edit</b>'),
  )
  const text = (await timeline(events(...many))).toString()
  expect(text.match(/class="what"/g)).toHaveLength(12)
  expect(text).toContain('Earlier steps')
  expect(text).toContain('&lt;b&gt;Edit')
  expect((await timeline(events(['turn.queued']))).toString()).toBe('')
})
