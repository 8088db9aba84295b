import { expect, it } from 'vitest'
import { estimateTokens } from '../../features/agent/model/compact.ts'
import { shownSchema } from '../../features/agent/tools/calls/shown-schema.ts'
import { describeTools } from '../../features/agent/tools/create-tools.ts'
import { toolLeftOut } from './open-toolbox.ts'

it.each([false, true])('describes all tools in at most 2,000 tokens, with conflicts: %s', (hasConflicts) => {
  const sizes = describeTools([])
    .filter(({ name }) => name !== toolLeftOut(hasConflicts))
    .map(({ name, description, inputSchema }) =>
      estimateTokens({ name, description, schema: shownSchema(inputSchema) }),
    )
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(2000)
})
