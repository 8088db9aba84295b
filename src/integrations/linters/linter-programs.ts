import { access, constants, mkdir, mkdtemp, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import { requireSafePath } from '../git/trees/safe-path.ts'
import type { LintFile, LinterPrograms } from './linter.ts'
import { spawn } from 'node:child_process'

/** The linters that an operator has installed. `path` is the PATH that they are looked for on, and run with. */
export function linterPrograms(path: string, deadline = 20_000): LinterPrograms {
  return {
    has: async (name) => (await findProgram(name, path)) !== undefined,
    async run(name, { args, stdin, files }, signal) {
      const program = await findProgram(name, path)
      if (program === undefined) return undefined
      // The folder as the program sees it, for the paths in its output.
      const place = await realpath(await mkdtemp(join(tmpdir(), 'docwright-lint-')))
      try {
        const folder = join(place, 'work')
        await writeFiles(folder, files)
        const environment = {
          PATH: path,
          HOME: place,
          XDG_CONFIG_HOME: place,
          TMPDIR: place,
          LC_ALL: 'C.UTF-8',
        }
        const output = await runProgram(program, { args, stdin, folder, environment, deadline, signal })
        return output && { ...output, folder }
      } catch {
        // Names may collide, or the disk may be full. Linters only advise, so this is no error.
        return undefined
      } finally {
        await rm(place, { recursive: true, force: true })
      }
    },
  }
}

async function writeFiles(root: string, files: readonly LintFile[]): Promise<void> {
  for (const { path, content } of files) {
    const target = join(root, requireSafePath(path))
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, content)
  }
}

const maxOutput = 8 * 1024 * 1024

/**
 * Runs a program without a shell, in a process group of its own and without the server's environment. Undefined
 * when it cannot be started, is late, prints too much or is stopped. Its exit code is ignored.
 * @param call deadline in milliseconds
 */
async function runProgram(
  program: string,
  call: {
    args: readonly string[]
    stdin: string
    folder: string
    environment: Record<string, string>
    deadline: number
    signal: AbortSignal | undefined
  },
): Promise<{ stdout: string; stderr: string } | undefined> {
  if (call.signal?.aborted === true) return undefined
  const child = spawn(program, [...call.args], {
    cwd: call.folder,
    env: call.environment,
    detached: process.platform !== 'win32',
    windowsHide: true,
  })
  return new Promise((resolve) => {
    let isStopped = false
    const stop = () => {
      isStopped = true
      kill(child.pid)
    }
    const timer = setTimeout(stop, call.deadline)
    call.signal?.addEventListener('abort', stop, { once: true })
    process.once('exit', stop)
    const end = (output: { stdout: string; stderr: string } | undefined) => {
      clearTimeout(timer)
      call.signal?.removeEventListener('abort', stop)
      process.off('exit', stop)
      resolve(output)
    }
    const said: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] }
    let size = 0
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > maxOutput) stop()
        else said[name].push(chunk)
      })
    }
    // The output of a program counts even if it did not read its input.
    child.stdin.on('error', () => {})
    child.stdin.end(call.stdin)
    child.on('error', () => end(undefined))
    child.on('close', () => {
      const output = {
        stdout: Buffer.concat(said.stdout).toString(),
        stderr: Buffer.concat(said.stderr).toString(),
      }
      end(isStopped ? undefined : output)
    })
  })
}

function kill(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
  } catch {
    // Already gone.
  }
}

/** The full path of a program on a PATH. Relative folders of the PATH are ignored. */
export async function findProgram(name: string, path: string): Promise<string | undefined> {
  for (const folder of path.split(delimiter)) {
    if (!isAbsolute(folder)) continue
    const program = join(folder, name)
    try {
      await access(program, constants.X_OK)
      if ((await stat(program)).isFile()) return program
    } catch {
      // Not here.
    }
  }
  return undefined
}
