import { expect, it } from 'vitest'
import { openTree } from './open-tree.ts'

const [ours, theirs] = ['a'.repeat(40), 'b'.repeat(40)]
const conflicted = `# A\n<<<<<<< ${ours}\nmine\n=======\nof the base\n>>>>>>> ${theirs}\nmiddle\n<<<<<<< ${ours}\n=======\nnew\n>>>>>>> ${theirs}\nend\n`

it('shows both sides of each conflict, and resolves one or all', async () => {
  const { call, text } = await openTree({ 'a.md': conflicted })
  const shown = await call('resolve_conflict', { path: 'a.md' })
  expect(shown['conflicts']).toEqual([
    {
      conflict: 1,
      ours: 'ours, the text of this job:\n3\tmine',
      theirs: 'theirs, the text of the base:\n5\tof the base',
    },
    {
      conflict: 2,
      ours: 'ours, the text of this job:\n(nothing)',
      theirs: 'theirs, the text of the base:\n10\tnew',
    },
  ])
  expect(await call('resolve_conflict', { path: 'a.md', text: 'both' })).toMatchObject({
    error: { code: 'invalid_input' },
  })
  expect(
    await call('resolve_conflict', { path: 'a.md', conflict: 1, text: 'mine, and of the base\n' }),
  ).toMatchObject({
    conflictsLeft: 1,
  })
  expect(await call('resolve_conflict', { path: 'a.md', take: 'theirs' })).toMatchObject({ conflictsLeft: 0 })
  expect(await text('a.md')).toBe('# A\nmine, and of the base\nmiddle\nnew\nend\n')
  expect(await call('resolve_conflict', { path: 'a.md', take: 'ours' })).toMatchObject({
    error: { code: 'not_found' },
  })
})
