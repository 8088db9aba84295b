import { describe } from 'vitest'
import { createGitHubWorld } from '../fake-hosts/github-world.fixture.ts'
import { testFaults } from '../fake-hosts/try-faults.fixture.ts'
import { testForge } from '../forge.contract.ts'

describe('GitHub', () => {
  testForge(createGitHubWorld)
  testFaults(createGitHubWorld)
})
