import { describe } from 'vitest'
import { createGiteaWorld } from '../fake-hosts/gitea-world.fixture.ts'
import { testFaults } from '../fake-hosts/try-faults.fixture.ts'
import { testForge } from '../forge.contract.ts'

describe('Gitea', () => {
  testForge(createGiteaWorld)
  testFaults(createGiteaWorld)
})
