import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { LintTree } from '../../src/site/checks/lint.ts'

/** A program of that name that writes down how it was called and says what it is told to. */
export async function installFake(
  folder: string,
  name: string,
  said: { stdout?: string; stderr?: string; code?: number; busy?: boolean },
) {
  const bin = join(folder, `bin-${Math.random().toString(36).slice(2)}`)
  const seen = join(bin, 'seen.json')
  await mkdir(bin)
  const script = `#!${process.execPath}
const { readFileSync, readdirSync, writeFileSync } = require('node:fs')
const { spawn } = require('node:child_process')
const files = Object.fromEntries(readdirSync('.', { recursive: true, withFileTypes: true })
  .filter((file) => file.isFile())
  .map((file) => [file.parentPath + '/' + file.name])
  .map(([path]) => [path, readFileSync(path, 'utf8')]))
const call = { args: process.argv.slice(2), stdin: readFileSync(0, 'utf8'), env: { ...process.env }, files }
const child = ${said.busy === true} ? spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' }) : undefined
writeFileSync(${JSON.stringify(seen)}, JSON.stringify({ ...call, env: { ...call.env, CHILD: String(child?.pid) } }))
process.stdout.write(${JSON.stringify(said.stdout ?? '')}.replaceAll('$CWD', process.cwd()))
process.stderr.write(${JSON.stringify(said.stderr ?? '')})
process.exitCode = ${said.code ?? 0}
`
  await writeFile(join(bin, name), script)
  await chmod(join(bin, name), 0o755)
  return { path: bin, seen: async () => seenCall.parse(JSON.parse(await readFile(seen, 'utf8'))) }
}

export function treeOf(files: Record<string, string>): LintTree {
  return {
    list: () => Object.keys(files),
    read: async (path) => (files[path] === undefined ? undefined : Buffer.from(files[path])),
  }
}

const seenCall = z.object({
  args: z.array(z.string()),
  stdin: z.string(),
  env: z.record(z.string(), z.string()),
  files: z.record(z.string(), z.string()),
})
