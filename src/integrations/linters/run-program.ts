import { spawn } from 'node:child_process'

const maxOutput = 8 * 1024 * 1024

/**
 * Runs a program without a shell, in a process group of its own and with nothing of our environment. Undefined when it
 * cannot be started, is late, says too much or is stopped; whatever code it ends with is its own matter.
 * @param call deadline in milliseconds
 */
export async function runProgram(
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
    // One that does not read what it is given still has its say.
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
