import { expect, it } from 'vitest'
import { blocksOf } from './markup.ts'

it('cuts a long text into blocks that Slack takes, with whole blocks of code', () => {
  const code = Array.from({ length: 300 }, (_, n) => `line ${n} of the code`).join('\n')
  const blocks = blocksOf(`Before\n\`\`\`\n${code}\n\`\`\`\nAfter`, { block: 2800, blocks: 12 })
  expect(blocks.length).toBeGreaterThan(1)
  for (const block of blocks) {
    expect(block.length).toBeLessThanOrEqual(3000)
    expect((block.match(/```/g) ?? []).length % 2).toBe(0)
  }
  expect(blocks.join('\n')).toContain('After')
})
