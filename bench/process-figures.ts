import { readFile, readdir } from 'node:fs/promises'

/** Clock ticks a second in /proc, on every Linux. */
const ticks = 100

/** What a process and all that it started have used and hold. */
export interface ProcessFigures {
  /** Seconds of CPU, of ended children too. */
  cpu: number
  /** Seconds of CPU of the first thread alone: what a start takes at least, however many cores there are. */
  mainThread: number
  /** Megabytes of resident memory, each process of its own. */
  memory: number
}

/** Reads /proc: Linux only. */
export async function processFigures(pid: number): Promise<ProcessFigures> {
  const family = await familyOf(pid)
  const processes = await Promise.all(
    family.map(async (one) => {
      const [stat, status] = await Promise.all([statOf(`/proc/${one}/stat`), textOf(`/proc/${one}/status`)])
      return {
        cpu: sum(stat.slice(11, 15)) / ticks,
        memory: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024,
      }
    }),
  )
  const thread = await statOf(`/proc/${pid}/task/${pid}/stat`)
  return {
    cpu: sum(processes.map(({ cpu }) => cpu)),
    mainThread: sum(thread.slice(11, 13)) / ticks,
    memory: sum(processes.map(({ memory }) => memory)),
  }
}

async function familyOf(pid: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const parents = new Map<number, number>()
  await Promise.all(pids.map(async (one) => parents.set(one, (await statOf(`/proc/${one}/stat`))[1] ?? 0)))
  const family = [pid]
  for (const one of family) for (const [child, parent] of parents) if (parent === one) family.push(child)
  return family
}

// From the state on: the name before it may hold anything.
async function statOf(path: string): Promise<number[]> {
  const text = await textOf(path)
  return text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
}

function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '')
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
