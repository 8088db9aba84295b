import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { glob, mkdir, readFile, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const root = resolve(import.meta.dirname, '..')
const cache = join(root, 'node_modules/.cache/docwright')
/** What a program that is left over is kept for another run, in milliseconds. */
const kept = 24 * 60 * 60 * 1000

/**
 * The program in one piece, as `build-program.ts` makes it, kept until what it is made of changes: under a path that stays,
 * Node finds what it compiled before. @returns what Node is given to run it
 */
export async function prepareProgram(): Promise<string> {
  const name = `program-${await fingerprint()}`
  const folder = join(cache, name)
  if (existsSync(folder)) await utimes(folder, new Date(), new Date())
  else {
    await mkdir(cache, { recursive: true })
    for (const other of await readdir(cache))
      if (other.startsWith('program-') && Date.now() - (await stat(join(cache, other))).mtimeMs > kept)
        await rm(join(cache, other), { recursive: true, force: true })
    // In a process of its own: what Vitest loads has no way to ask where a package's file is.
    const built = `${folder}.${process.pid}`
    await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'build-program.ts'), built])
    // Another run may have made it at the same time.
    await rename(built, folder).catch(async (error: unknown) => {
      await rm(built, { recursive: true })
      if (!existsSync(folder)) throw error
    })
  }
  return join(folder, 'bin/docwright.js')
}

async function fingerprint(): Promise<string> {
  // The program holds the path of its source.
  const hash = createHash('sha256').update(root)
  const parts = [
    'package.json',
    'package-lock.json',
    'tests/build-program.ts',
    'tests/worlds/{killed-runner,job-world,machine,mortal-ports,scripted-model,toolbox}.ts',
    'tests/worlds/git/*.ts',
    '{docs,migrations,scripts,src,web}/**/*.*',
  ]
  const files: string[] = []
  for await (const file of glob(parts, { cwd: root })) if (!file.endsWith('.test.ts')) files.push(file)
  for (const file of files.toSorted())
    hash.update(`${file}\n`).update(await readFile(join(root, file)).catch(() => ''))
  return hash.digest('hex').slice(0, 16)
}
