import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'

interface Tried {
  pullRequest: string
  answer: string
}

/**
 * Starts a server with the demo project from a program, and does with it what a newcomer does: a job to its pull
 * request, a question, the dashboard, and the end; `also` is done before the end. @throws Error that says what did not work, with what was printed
 */
export async function tryServer(
  program: string,
  given: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
  also?: () => Promise<void>,
): Promise<Tried> {
  const child = spawn(program, given, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const printed: string[] = []
  const ready = Promise.withResolvers<void>()
  const ended = once(child, 'exit')
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => {
      printed.push(line)
      if (line.startsWith('ready ')) ready.resolve()
    })
  void ended.then(() => ready.reject(new Error('The server ended')))
  try {
    await ready.promise
    const tried = await beNewcomer(printed.join('\n'))
    await also?.()
    child.kill('SIGTERM')
    const [code] = (await ended) as [number | null]
    if (code !== 0) throw new Error(`The server ended with ${code}`)
    return tried
  } catch (error) {
    child.kill('SIGKILL')
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${printed.join('\n')}`, {
      cause: error,
    })
  }
}

async function beNewcomer(text: string): Promise<Tried> {
  const find = (expression: RegExp): string => {
    const found = expression.exec(text)?.[1]
    if (found === undefined) throw new Error(`${String(expression)} was not printed`)
    return found
  }
  const url = find(/Dashboard +(\S+)/)
  const project = find(/Project id +(\S+)/)
  const admin = find(/Admin key +(\S+)/)
  const assistant = find(/Assistant key +(\S+)/)
  const link = find(/Sign-in link +(\S+)/)
  const ask = async (path: string, key?: string, body?: unknown): Promise<Response> => {
    const response = await fetch(new URL(path, url), {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return response
  }
  await ask('/healthz')
  await ask('/readyz')
  const page = await (await ask(link)).text()
  const style = /href="(\/assets\/[^"]+\.css[^"]*)"/.exec(page)?.[1]
  if (style === undefined) throw new Error('The page to sign in names no style sheet')
  await ask(style)
  await ask(`/docs/docwright/quickstart`)
  const made = (await (
    await ask(`/v2/agent/${project}/job`, admin, {
      prompt: 'Add a note to the quickstart page: "The demo needs no account."',
    })
  ).json()) as { id: string }
  const pullRequest = await linkOf(async () =>
    (await ask(`/v2/agent/${project}/job/${made.id}`, admin)).json(),
  )
  const answer = await (
    await ask('/discovery/v2/assistant/docwright/message', assistant, {
      fp: 'anonymous',
      messages: [
        { id: '1', role: 'user', parts: [{ type: 'text', text: 'How do I add my own repository?' }] },
      ],
    })
  ).text()
  const words = [...answer.matchAll(/"type":"text-delta"[^\n]*?"delta":"((?:[^"\\]|\\.)*)"/g)].map(
    ([, delta = '']) => delta,
  )
  if (words.length === 0) throw new Error(`The answer holds no text: ${answer}`)
  return { pullRequest, answer: words.join('') }
}

async function linkOf(read: () => Promise<unknown>): Promise<string> {
  for (;;) {
    const job = (await read()) as { status: string; prLink: string | null }
    if (job.prLink !== null) return job.prLink
    if (job.status !== 'active') throw new Error(`The job has no pull request: ${JSON.stringify(job)}`)
    await delay(200)
  }
}
