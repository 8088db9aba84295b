import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'

/** A server of any checkout of Docwright, with its demo project. */
export interface CheckoutServer {
  checkout: string
  pid: number
  url: string
  projectId: string
  adminKey: string
  /** Seconds from its start until it was ready. */
  seconds: number
  stop(): Promise<void>
}

/**
 * Starts the server as `npm start` does. `keep` is a data folder that is kept; without it, a temporary one is used.
 */
export async function startCheckout(
  checkout: string,
  options: { keep?: string; environment?: Record<string, string> } = {},
): Promise<CheckoutServer> {
  const folder = options.keep ?? (await mkdtemp(join(tmpdir(), 'docwright-bench-')))
  const began = performance.now()
  const child = spawn(
    process.execPath,
    [resolve(checkout, 'bin/docwright.js'), 'serve', '--port', '0', '--data', folder],
    {
      env: { ...process.env, LOG_LEVEL: 'warn', ...options.environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const exited = once(child, 'exit')
  let output = ''
  for await (const line of createInterface({ input: child.stdout })) {
    output += `${line}\n`
    if (line.startsWith('ready ')) break
  }
  const shown = (pattern: RegExp): string => pattern.exec(output)?.[1] ?? ''
  const url = shown(/^ready (\S+)/m)
  if (url === '' || child.pid === undefined) throw new Error(`The server ended early:\n${output}`)
  return {
    checkout,
    pid: child.pid,
    url,
    projectId: shown(/Project id\s+(\S+)/),
    adminKey: shown(/Admin key\s+(\S+)/),
    seconds: (performance.now() - began) / 1000,
    async stop() {
      child.kill('SIGTERM')
      await exited
      if (options.keep === undefined) await rm(folder, { recursive: true, force: true })
    },
  }
}
