import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'

export interface ProcessCall {
  args: readonly string[]
  cwd: string
  env: Readonly<Record<string, string>>
}

export interface ProcessEnd {
  code: number | null
  signal: string | null
}

/** `pid` is also that of its group, where systems have groups. */
export interface StartedProcess {
  pid: number
  stdin: Writable
  stdout: Readable
  stderr: Readable
  /** Settles when it has ended and what it wrote is read to the end. */
  closed: Promise<ProcessEnd>
}

/** @throws the system's error, with its `code`, when the program cannot be started */
export type StartProcess = (program: string, call: ProcessCall) => Promise<StartedProcess>

/** Starts a program as a child of our own. */
export const startProcess: StartProcess = async (program, { args, cwd, env }) => {
  const detached = process.platform !== 'win32'
  const child = spawn(program, [...args], { cwd, env, detached, windowsHide: true })
  const closed = new Promise<ProcessEnd>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal }))
  })
  await once(child, 'spawn')
  const { pid = 0, stdin, stdout, stderr } = child
  return { pid, stdin, stdout, stderr, closed }
}

/** Ends a program with all that it started, where the system has groups. One that is gone already is no error. */
export function killGroup(pid: number): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
  } catch {
    // Already gone.
  }
}
