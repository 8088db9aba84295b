import { existsSync, readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'

/**
 * What a test file needs, which is told by what it imports, itself or by way of others: `server` starts processes of the
 * product, `store` opens databases or runs git, `pure` does neither.
 */
export type TestKind = keyof typeof signs | 'pure'

/** The files that mean a kind; the first kind that fits is taken. */
const signs = {
  server: ['tests/server.ts'],
  store: ['tests/prepared-stores.ts', 'src/integrations/git/process/start-git.ts'],
}
const root = join(import.meta.dirname, '..')

export async function sortTestFiles(): Promise<Record<TestKind, string[]>> {
  const missing = Object.values(signs)
    .flat()
    .filter((sign) => !existsSync(join(root, sign)))
  if (missing.length > 0)
    throw new Error(`tests/test-kinds.ts names files that are gone: ${missing.join(', ')}`)
  const sorted: Record<TestKind, string[]> = { pure: [], store: [], server: [] }
  const read = new Map<string, string[]>()
  for await (const file of glob(['src/**/*.test.ts', 'tests/**/*.test.ts', 'web/**/*.test.ts'], {
    cwd: root,
    exclude: ['**/node_modules/**'],
  }))
    sorted[kindOf(file, read)].push(file)
  return sorted
}

function kindOf(file: string, read: Map<string, string[]>): TestKind {
  const reached = new Set([file])
  for (const one of reached) for (const next of importsOf(one, read)) reached.add(next)
  if (signs.server.some((sign) => reached.has(sign))) return 'server'
  return signs.store.some((sign) => reached.has(sign)) ? 'store' : 'pure'
}

/** What a file loads of this repository. */
function importsOf(file: string, read: Map<string, string[]>): string[] {
  const known = read.get(file)
  if (known) return known
  const text = file.endsWith('.ts') ? readFileSync(join(root, file), 'utf8') : ''
  const found = text.matchAll(
    /^(?:import|export)\s(?!type\s)[^'"]*?['"](\.[^'"]+)['"]|\bimport\(\s*['"](\.[^'"]+)['"]/gm,
  )
  const imports = [...found].map(([, fixed, lazy]) =>
    relative(root, join(root, dirname(file), fixed ?? lazy ?? '')),
  )
  read.set(file, imports)
  return imports
}
