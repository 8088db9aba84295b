import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openTestServices } from '../../../tests/worlds/mirror-world.ts'
import { dataPaths } from '../data-folder.ts'
import { maintainMirrors } from './maintain-mirrors.ts'

it('finds nothing to do in a data folder without mirrors', async () => {
  const services = await openTestServices()
  try {
    const { mirrors } = dataPaths(services.config.dataFolder)
    await rm(mirrors, { recursive: true, force: true })
    await maintainMirrors(services, new AbortController().signal)
    expect(existsSync(join(mirrors, 'maintained'))).toBe(true)
  } finally {
    await services.close()
  }
})
