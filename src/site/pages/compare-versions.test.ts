import { expect, it } from 'vitest'
import { compareVersions } from './compare-versions.ts'

it('orders versions by age, those that are not released first and the site’s own last', () => {
  const versions = ['v2', '', '10.1', 'next', 'latest', '4.0-beta', '9.0']
  expect(versions.sort(compareVersions)).toEqual(['4.0-beta', 'next', 'v2', '9.0', '10.1', '', 'latest'])
})
