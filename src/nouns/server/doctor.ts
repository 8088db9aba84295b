import type { Command } from 'commander'
import { readersOf } from '../../features/projects/visibility.ts'
import { messageOf } from '../../lib/errors.ts'
import { type commitIdentity, type secretCounts, serverState } from './answers.ts'
import { projectList, type CommandContext } from '../../cli/command-context.ts'
import { ask } from '../../verbs/terminal.ts'
import { getHost } from '../connections/verbs.ts'
import { checkModel, checkSecrets, getCommitIdentity } from './verbs.ts'
import type { Answer } from '../../cli/read-answer.ts'

interface Finding {
  check: string
  ok: boolean
  detail: string
  /** It works, but a person should look at it. */
  warning?: boolean
}

/** What the server's own page says that needs attention, and the models and chats that the server has. */
const shownState = serverState.pick({ advice: true, models: true, chats: true })

/** A check that needs no running server. */
export type LocalCheck = { check: string; run(): Promise<string | { detail: string; warning: boolean }> }

export function addDoctorCommand(
  program: Command,
  open: (command: Command) => CommandContext,
  localChecks: (command: Command) => { always: LocalCheck[]; models: LocalCheck[] },
): void {
  program
    .command('doctor')
    .description('Diagnose problems with the host, server, and projects (exits with 1 if any check fails)')
    .action(async (_options: unknown, command: Command) => {
      const context = open(command)
      const findings: Finding[] = []
      const look = async (check: string, run: LocalCheck['run']): Promise<void> => {
        findings.push(
          await run().then(
            (found) => ({ check, ok: true, ...(typeof found === 'string' ? { detail: found } : found) }),
            (error: unknown) => ({ check, ok: false, detail: messageOf(error) }),
          ),
        )
      }
      const local = localChecks(command)
      for (const { check, run } of local.always) await look(check, run)
      await look('server', async () => {
        await context.request('GET', '/readyz')
        return context.url()
      })
      const isRunning = findings.at(-1)?.ok === true
      // A running server may have another environment than this command.
      if (!isRunning) for (const { check, run } of local.models) await look(check, run)
      const readFor = async <T>(check: string, read: () => Promise<T>): Promise<T | undefined> =>
        isRunning
          ? read().catch((error: unknown) => {
              findings.push({ check, ok: false, detail: messageOf(error) })
              return undefined
            })
          : undefined
      if (isRunning) {
        await look('secrets', async () => describeSecrets(await ask(context, checkSecrets, {})))
        await look('commits', async () => describeCommits(await ask(context, getCommitIdentity, {})))
      }
      const state = await readFor('advice', () => context.read(shownState, 'GET', '/admin/server'))
      const models = state?.models ?? []
      for (const { variable, name } of models)
        if (models.find((other) => other.name === name)?.variable === variable)
          await look(`model (${variable})`, () => ask(context, checkModel, { variable }))
      // What is wrong with a project's host stands beside the project.
      for (const { about, what, remedy } of state?.advice ?? [])
        if (about !== 'host' && about !== 'chat')
          findings.push({ check: about, ok: true, detail: `${what}. ${remedy}`, warning: true })
      for (const { name, domain, problem, checkedAt } of state?.chats ?? [])
        await look(`chat ${name} of ${domain}`, () =>
          problem === null
            ? Promise.resolve(checkedAt === null ? 'not asked yet' : 'the token works and has all scopes')
            : Promise.reject(new Error(problem)),
        )
      const projects = await readFor('projects', () => context.read(projectList, 'GET', '/admin/projects'))
      for (const project of projects ?? []) {
        await look(`project ${project.domain}`, () =>
          project.sync.error === null
            ? Promise.resolve(
                [
                  `${project.pages} pages, ${project.sync.state}`,
                  `visible to ${readersOf(project.visibility)}`,
                ].join('; '),
              )
            : Promise.reject(new Error(project.sync.error)),
        )
        for (const detail of project.warnings)
          findings.push({ check: `settings of ${project.domain}`, ok: true, detail, warning: true })
        const { warning } = project.sync
        if (warning !== null)
          findings.push({ check: `pages of ${project.domain}`, ok: true, detail: warning, warning: true })
        if (project.kind === 'https')
          await look(`host of ${project.domain}`, async () =>
            describeHost(await ask(context, getHost, { domain: project.domain })),
          )
      }
      context.print(findings, () =>
        findings.map(
          ({ check, ok, detail, warning }) => `${warning ? '!' : ok ? '✓' : '✗'} ${check}: ${detail}`,
        ),
      )
      if (findings.some(({ ok }) => !ok)) process.exitCode = 1
    })
}

function describeCommits({ name, email, signing }: Answer<typeof commitIdentity>): string {
  const how = signing === null ? 'not signed' : `signed with ${signing.fingerprint} (${signing.publicKey})`
  return `by ${name} <${email}>, ${how}`
}

function describeHost(host: Answer<(typeof getHost)['output']>): string {
  if (host === null) return 'no connection'
  if (host.problem !== null) throw new Error(host.problem)
  // A credential that only reads is enough for a project without jobs.
  const notes = host.notes.length === 0 ? 'ready for jobs' : host.notes.join('; ')
  return `${host.path} on ${host.site}${host.login === null ? '' : ` as ${host.login}`}: ${notes}`
}

/** @throws Error when a secret cannot be decrypted */
function describeSecrets({ current, earlier, unreadable }: Answer<typeof secretCounts>): string {
  if (unreadable.length > 0)
    throw new Error(
      `No key can decrypt ${unreadable.join(', ')}: set the key that encrypted it as DOCWRIGHT_SECRET_KEY_PREVIOUS, or give the secret again`,
    )
  const left = earlier === 0 ? '' : `, ${earlier} with an earlier one: run "secrets reseal"`
  return `${current} encrypted with the current key${left}`
}
