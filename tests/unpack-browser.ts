import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'

const cache = join(import.meta.dirname, '../node_modules/.cache/docwright')
const unpacking = "import chromium from '@sparticuz/chromium'; await chromium.executablePath()"

/** Unpacks the Chromium that is installed with the tests, which takes seconds, and keeps it. @returns its program */
export async function unpackBrowser(): Promise<string> {
  const archive = createRequire(import.meta.url).resolve('@sparticuz/chromium')
  const { version } = createRequire(archive)('../package.json') as { version: string }
  const folder = join(cache, `chromium-${version}`)
  const program = join(folder, 'chromium')
  if (existsSync(program)) return program
  await mkdir(cache, { recursive: true })
  const draft = await mkdtemp(`${folder}-`)
  // The package unpacks into the temporary folder and would take whatever browser lies there already. That folder is the
  // whole process's, so another process unpacks.
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', unpacking], {
    cwd: import.meta.dirname,
    env: { ...process.env, TMPDIR: draft },
  })
  // Another run may have unpacked it at the same time.
  await rename(draft, folder).catch(() => rm(draft, { recursive: true }))
  return program
}
