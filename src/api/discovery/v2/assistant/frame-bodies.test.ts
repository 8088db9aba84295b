import { expect, it } from 'vitest'
import { knownFrames } from '../../../../features/assistant/streams/downgrade-frames.ts'
import { frameKinds } from '../../../../nouns/assistant/answers.ts'

it('describes the frames that are sent, with all of their keys', () => {
  const described = Object.entries(frameKinds).map(
    ([type, [, fields]]) => [type, Object.keys(fields)] as const,
  )
  const status = { 'data-status': ['data', 'transient'] }
  const own = { ...status, 'data-suggestions': ['data'], finish: ['threadId', 'messageMetadata'] }
  expect(Object.fromEntries(described)).toEqual({ ...knownFrames, ...own })
})
