import { readFile, readdir } from 'node:fs/promises'

/** Clock ticks per second in /proc, the same on every Linux. */
const ticks = 100

/** CPU time and memory of a process and all its descendants. */
export interface ProcessFigures {
  /** Seconds of CPU, including children that have ended. */
  cpu: number
  /** Seconds of CPU of the main thread alone: the least that a start takes, however many cores there are. */
  mainThread: number
  /** Megabytes of resident memory, summed over the processes. */
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

// The fields from the state on: the process name before it may contain spaces and brackets.
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
