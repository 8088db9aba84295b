import { cp, realpath, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { z } from 'zod'
import { mirrorName } from '../src/start/mirrors/mirror-names.ts'
import { askRun } from './ask-run.ts'
import { createTestDatabase } from './prepared-stores.ts'

/** What a server made at its first start, after which it was stopped. */
export interface FirstStart {
  dataFolder: string
  /** The name of its database, to make others from. */
  template: string
  /** What it printed: keys, and a sign-in link with its own address. */
  printed: string
}

const schema: z.ZodType<FirstStart> = z.object({
  dataFolder: z.string(),
  template: z.string(),
  printed: z.string(),
})

/**
 * Copies the run's first start, with its demo project indexed, into an empty data folder: to index it costs a server more
 * than all else that it starts with. @returns the address of the copy's database, and what the server printed
 */
export async function copyFirstStart(to: string): Promise<{ address: string; printed: string }> {
  const { dataFolder: from, template, printed } = schema.parse(await askRun('/first-start'))
  const [address] = await Promise.all([
    createTestDatabase(template),
    cp(from, to, { recursive: true, preserveTimestamps: true }),
  ])
  // Both hold paths: the settings of git, which every start writes, and a name made of the repository's.
  await rm(join(to, 'git'), { recursive: true })
  const [before, after] = await Promise.all([repositoryIn(from), repositoryIn(to)])
  await rename(join(to, 'mirrors', mirrorOf(before)), join(to, 'mirrors', mirrorOf(after)))
  const client = new Client({ connectionString: address })
  await client.connect()
  await client.query('update projects set location = $1 where location = $2', [after, before])
  await client.end()
  return { address, printed }
}

function mirrorOf(location: string): string {
  return mirrorName({ kind: 'path', location, organizationId: '' })
}

async function repositoryIn(dataFolder: string): Promise<string> {
  return join(await realpath(dataFolder), 'repositories/docwright.git')
}
