import { expect, it } from 'vitest'
import { searchDocsTool } from './search-docs.ts'

it('says what to use instead while there is no index yet', async () => {
  const tool = searchDocsTool(() => Promise.resolve(undefined))
  expect(await tool.execute({ query: 'limits' })).toEqual({
    error: {
      code: 'unavailable',
      message: 'The documentation is being indexed for the first time: use grep and list_files instead',
    },
  })
})
