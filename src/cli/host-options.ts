import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { pathFromUser } from './command-context.ts'
import { AppError } from '../lib/errors.ts'

/** Options of `project add` and `project connect` for the connection to the host. */
export interface HostOptions {
  host?: string
  tokenFile?: string
  tokenEnv?: string
  username?: string
  githubAppId?: string
  githubAppKeyFile?: string
  fork?: string
}

type Credential =
  | { kind: 'token'; token: string; username?: string }
  | { kind: 'github_app'; appId: string; privateKey: string }

export function addHostOptions(command: Command): Command {
  return command
    .option('--host <kind>', 'github, gitlab, gitea (also Forgejo), bitbucket or git (default: detected)')
    .option('--token-file <file>', 'file that contains the git host access token')
    .option('--token-env <name>', 'environment variable that contains the token')
    .option('--username <name>', 'git username, if the host requires one')
    .option('--github-app-id <id>', 'a GitHub App instead of a token')
    .option('--github-app-key-file <file>', 'its private key')
    .option('--fork <url>', 'push branches to this fork, and open pull requests from there')
}

/** Turns the host options into the fields of a request, with secrets read from their files. */
export async function hostFields(options: HostOptions): Promise<{
  host?: string
  fork?: string
  credential?: Credential
}> {
  const { host, fork } = options
  const credential = await credentialOf(options)
  return { ...(host && { host }), ...(fork && { fork }), ...(credential && { credential }) }
}

async function credentialOf(options: HostOptions): Promise<Credential | undefined> {
  const { tokenFile, tokenEnv, username, githubAppId: appId, githubAppKeyFile: keyFile } = options
  const sources = [tokenFile, tokenEnv, appId].filter((option) => option !== undefined)
  if (sources.length > 1)
    throw new AppError('invalid', 'Give one of --token-file, --token-env and --github-app-id')
  if ((appId === undefined) !== (keyFile === undefined))
    throw new AppError('invalid', '--github-app-id and --github-app-key-file belong together')
  if (appId !== undefined && keyFile !== undefined)
    return { kind: 'github_app', appId, privateKey: await secretIn(keyFile) }
  const token =
    tokenFile === undefined ? tokenEnv && process.env[tokenEnv]?.trim() : await secretIn(tokenFile)
  if (tokenEnv !== undefined && !token)
    throw new AppError('invalid', `The environment variable ${tokenEnv} is not set`)
  if (!token && username !== undefined)
    throw new AppError('invalid', '--username belongs to a token: give --token-file or --token-env')
  return token ? { kind: 'token', token, ...(username && { username }) } : undefined
}

async function secretIn(path: string): Promise<string> {
  const text = await readFile(pathFromUser(path), 'utf8').catch((cause: unknown) => {
    throw new AppError('invalid', `The file ${path} cannot be read`, { cause })
  })
  if (text.trim() === '') throw new AppError('invalid', `The file ${path} is empty`)
  return text.trim()
}
