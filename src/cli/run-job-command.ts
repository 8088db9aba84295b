import { randomUUID } from 'node:crypto'
import { appendFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { InvalidArgumentError, Option, type Command } from 'commander'
import { z } from 'zod'
import { endingSignal } from '../lib/ending-signal.ts'
import { AppError, messageOf } from '../lib/errors.ts'
import { jobBody } from '../nouns/jobs/answers.ts'
import type { CommandContext } from './command-context.ts'
import { isCancelled } from './job-lines.ts'
import { isAnswer, type Answer } from './read-answer.ts'

interface Options {
  url?: string
  project?: string
  base?: string
  draft?: true
  onceKey?: string
  minutes: number
  wait: boolean
}

const jobAnswer = jobBody
  .pick({
    id: true,
    title: true,
    status: true,
    outcome: true,
    state: true,
    prLink: true,
    failure: true,
    question: true,
  })
  .extend({
    failure: z.object({ message: z.string(), code: z.string().nullish() }).nullable(),
    question: z.object({ text: z.string() }).nullable(),
  })
  .partial({ outcome: true, state: true, prLink: true, failure: true, question: true })
type Job = Answer<typeof jobAnswer>
const errorAnswer = z.object({ error: z.string() })

/** Starts a job on a server anywhere and waits for its end, for CI: it needs an address and a key, and no data folder. */
export function addRunJobCommand(program: Command, open: (command: Command) => CommandContext): void {
  program
    .command('run-job')
    .description('Start a job on a remote server and wait for it (reads the key from DOCWRIGHT_ADMIN_KEY)')
    .argument('<prompt>', 'prompt, or - to read from stdin')
    .addOption(new Option('--url <address>', 'the server').env('DOCWRIGHT_URL'))
    .addOption(new Option('--project <id>', 'the project').env('DOCWRIGHT_PROJECT_ID'))
    .option('--base <branch>', 'branch to start from')
    .option('--draft', 'open the pull request as a draft')
    .option('--once-key <text>', 'idempotency key (default: the CI run ID)')
    .option('--minutes <number>', 'how long to wait', minutesOf, 60)
    .option('--no-wait', 'return when the job is created')
    .action(async (given: string, options: Options, command: Command) => {
      const context = open(command)
      const { url, project } = options
      const key = process.env['DOCWRIGHT_ADMIN_KEY']
      if (!url || !project || !key)
        throw new AppError(
          'invalid',
          'Give the server with --url, the project with --project and the key in DOCWRIGHT_ADMIN_KEY',
        )
      const prompt = given === '-' ? await text(process.stdin) : given
      const api = `${url.replace(/(?<!\/)\/+$/, '')}/v2/agent/${encodeURIComponent(project)}`
      const ask = createAsker(api, key, (line) => context.note(line))
      const body = { prompt, base: options.base, draft: options.draft }
      const until = performance.now() + options.minutes * 60_000
      let job = await ask('/job', until, { body, once: options.onceKey ?? runId() })
      context.note(`Job ${job.id}`)
      while (options.wait && job.status === 'active' && performance.now() < until) {
        await delay(pollEvery)
        job = await ask(`/job/${encodeURIComponent(job.id)}`, until)
      }
      await writeOutputs(job)
      context.print(job, () => describe(job))
      if (options.wait && !endedWell(job)) process.exitCode = isCancelled(job) ? 4 : 1
    })
}

/** Milliseconds. */
const pollEvery = 2000

interface Sent {
  body: object
  /** Repeats with the same text make no second job. */
  once: string
}

type Ask = (path: string, until: number, sent?: Sent) => Promise<Job>

/** Asks again while the server is away, busy or limits requests, until the time is up. */
function createAsker(api: string, key: string, note: (line: string) => void): Ask {
  return async (path, until, sent) => {
    for (let tries = 1; ; tries++) {
      const { job, problem, wait } = await attempt(api + path, key, sent)
      if (job) return job
      const pause = wait ?? Math.min(30, 2 ** tries)
      if (wait === undefined || performance.now() + pause * 1000 > until)
        throw new AppError(wait === undefined ? 'invalid' : 'unavailable', problem)
      note(`${problem}; trying again in ${pause} s`)
      await delay(pause * 1000)
    }
  }
}

/** `wait`: seconds after which it may work; undefined when it never will. */
async function attempt(
  address: string,
  key: string,
  sent: Sent | undefined,
): Promise<{ job?: Job; problem: string; wait?: number | undefined }> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const request = sent && {
    method: 'POST',
    headers: { ...headers, 'Idempotency-Key': sent.once },
    body: JSON.stringify(sent.body),
  }
  using waiting = endingSignal({ milliseconds: 60_000 })
  try {
    const response = await fetch(address, { ...(request ?? { headers }), signal: waiting.signal })
    const answer: unknown = await response.json().catch(() => undefined)
    if (response.ok && isAnswer(jobAnswer, answer)) return { job: answer, problem: '' }
    const explanation = errorAnswer.safeParse(answer).data?.error
    const problem = explanation ?? `${new URL(address).origin} answered ${response.status}`
    const after = Number(response.headers.get('retry-after') ?? '')
    const isPassing = [409, 429, 502, 503, 504].includes(response.status)
    return { problem, wait: isPassing ? Math.max(1, after || 5) : undefined }
  } catch (error) {
    return { problem: `The server cannot be reached: ${messageOf(error)}`, wait: 5 }
  }
}

function endedWell({ outcome, state }: Job): boolean {
  return outcome === 'changed' || (outcome === 'no_change' && state !== 'not_understood')
}

function describe(job: Job): string[] {
  const { id, title, status, outcome, state, prLink, failure, question } = job
  if (endedWell(job)) return [`Pull request: ${prLink ?? `none, nothing was changed (${title})`}`]
  if (isCancelled(job)) return [`Job cancelled: ${id}`]
  if (status === 'active') return [`The job ${id} is still running`]
  return [
    `Job failed: ${failure?.message ?? question?.text ?? (state === 'not_understood' ? 'the built-in model did not understand the prompt' : (outcome ?? status))}`,
  ]
}

/** The job as outputs of a step, where GitHub asks for them. */
async function writeOutputs({ id, status, outcome, state, prLink }: Job): Promise<void> {
  const file = process.env['GITHUB_OUTPUT']
  if (!file) return
  const outputs = {
    'job-id': id,
    status,
    outcome: outcome ?? '',
    state: state ?? '',
    'pull-request': prLink ?? '',
  }
  const lines = Object.entries(outputs).map(
    ([name, value]) => `${name}=${value.replaceAll(/[\r\n]/g, ' ')}\n`,
  )
  await appendFile(file, lines.join(''))
}

function runId(): string {
  const { GITHUB_RUN_ID: run, GITHUB_JOB: job, CI_JOB_ID: gitlab } = process.env
  if (run) return `github-${run}-${job ?? ''}`.slice(0, 255)
  return gitlab ? `gitlab-${gitlab}` : randomUUID()
}

function minutesOf(given: string): number {
  const minutes = Number(given)
  if (!(minutes > 0 && minutes <= 1440)) throw new InvalidArgumentError('Give minutes, at most 1440.')
  return minutes
}
