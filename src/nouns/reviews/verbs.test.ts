import { expect, it } from 'vitest'
import { addJobComment, changeJobComment } from './verbs.ts'

it('takes no comment that is empty or too long, new or changed', () => {
  for (const body of ['', '  \n', 'x'.repeat(10_001)]) {
    const comment = { path: 'a.md', line: 1, body }
    for (const { error } of [
      addJobComment.input.safeParse(comment),
      changeJobComment.input.safeParse({ body }),
    ])
      expect(error?.issues[0]?.message).toBe('must be text of 1 to 10,000 characters')
  }
})
