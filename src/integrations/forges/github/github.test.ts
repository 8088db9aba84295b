import { describe } from 'vitest'
import { createGitHubWorld } from '../../../../tests/worlds/hosts/github/github-world.ts'
import { testFaults } from '../../../../tests/worlds/hosts/try-faults.ts'
import { testForge } from '../../../../tests/worlds/hosts/forge-contract.ts'

describe('GitHub', () => {
  testForge(() => createGitHubWorld())
  testFaults(() => createGitHubWorld({ requestLimit: 500 }))
})
