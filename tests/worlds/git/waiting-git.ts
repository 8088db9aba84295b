import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface GitOrder {
  args: string[]
  env: Record<string, string>
  /** In base64. */
  input: string
}

export interface GitAnswer {
  code: number | null
  stdout: string
  stderr: string
}

/**
 * For tests: runs git and waits for it. By a small process, as in the product: to start git from the test's own takes ten
 * times as long.
 */
export function runGitAndWait(order: GitOrder): GitAnswer {
  helper ??= startHelper()
  return helper(order)
}

let helper: ((order: GitOrder) => GitAnswer) | undefined

function startHelper(): (order: GitOrder) => GitAnswer {
  const folder = mkdtempSync(join(tmpdir(), 'docwright-waiting-git-'))
  const [orders, answers] = [join(folder, 'orders'), join(folder, 'answers')]
  execFileSync('mkfifo', [orders, answers])
  const script = new URL('waiting-git-process.ts', import.meta.url).pathname
  spawn(process.execPath, [script, orders, answers], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {},
  }).unref()
  // Each waits for the other side; the helper ends when ours is gone.
  const to = openSync(orders, 'w')
  const from = openSync(answers, 'r')
  rmSync(folder, { recursive: true })
  const read = readLine((chunk) => readSync(from, chunk))
  return (order) => {
    const line = Buffer.from(`${JSON.stringify(order)}\n`)
    for (let at = 0; at < line.length;) at += writeSync(to, line, at)
    return JSON.parse(read()) as GitAnswer
  }
}

/** @returns what gives the next line, or nothing at the end */
export function readLine(readInto: (chunk: Buffer) => number): () => string {
  const chunk = Buffer.alloc(65_536)
  return () => {
    const parts: Buffer[] = []
    for (;;) {
      const size = readInto(chunk)
      const isLast = size === 0 || chunk[size - 1] === 10
      parts.push(Buffer.from(chunk.subarray(0, size)))
      if (isLast) return Buffer.concat(parts).toString().trimEnd()
    }
  }
}
