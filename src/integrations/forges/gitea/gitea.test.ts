import { describe } from 'vitest'
import { createGiteaWorld } from '../../../../tests/worlds/hosts/gitea/gitea-world.ts'
import { testFaults } from '../../../../tests/worlds/hosts/try-faults.ts'
import { testForge } from '../../../../tests/worlds/hosts/forge-contract.ts'

describe('Gitea', () => {
  testForge(() => createGiteaWorld())
  testFaults(() => createGiteaWorld({ requestLimit: 500 }))
})
