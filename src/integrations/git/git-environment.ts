import { dirname } from 'node:path'
import { type Git, homeFolder } from './git.ts'
import { basic } from './redact.ts'
import { type Remote, credentialOf } from './remote.ts'

type Setting = readonly [key: string, value: string]

// Set with the strength of the command line, so that no repository's own configuration weakens it.
const settings: readonly Setting[] = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.quotePath', 'false'],
  // Attributes could hide changes from a diff (`*.md -diff`); newer git reads them in bare repositories too.
  ['attr.tree', '4b825dc642cb6eb9a060e54bf8d69288fbee4904'],
  ['credential.helper', ''],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['http.followRedirects', 'false'],
  ['http.lowSpeedLimit', '1'],
  ['http.lowSpeedTime', '60'],
  ['transfer.bundleURI', 'false'],
  ['submodule.recurse', 'false'],
  ['fetch.recurseSubmodules', 'false'],
]

/** A git process's whole environment, made from nothing. */
export function gitEnvironment(
  git: Git,
  call: {
    folder?: string | undefined
    remote?: Remote | undefined
    config?: readonly Setting[]
    environment?: Readonly<Record<string, string>>
  },
  globalConfiguration: string,
): Record<string, string> {
  const home = homeFolder(git)
  const env: Record<string, string> = {
    ...git.environment,
    HOME: home,
    XDG_CONFIG_HOME: home,
    // The data folder may lie inside a repository: git must not find that one.
    GIT_CEILING_DIRECTORIES: dirname(home),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: globalConfiguration,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ALLOW_PROTOCOL: allowedProtocol(call.remote),
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_LITERAL_PATHSPECS: '1',
    LC_ALL: 'C',
    ...call.environment,
  }
  if (call.folder !== undefined) env['GIT_DIR'] = call.folder
  const all = [...settings, ...authorization(call.remote), ...(call.config ?? [])]
  env['GIT_CONFIG_COUNT'] = String(all.length)
  for (const [index, [key, value]] of all.entries()) {
    env[`GIT_CONFIG_KEY_${index}`] = key
    env[`GIT_CONFIG_VALUE_${index}`] = value
  }
  return env
}

function allowedProtocol(remote: Remote | undefined): string {
  if (remote === undefined) return 'none'
  if (remote.kind === 'folder') return 'file'
  return remote.url.startsWith('http:') ? 'http' : 'https'
}

function authorization(remote: Remote | undefined): Setting[] {
  const credential = credentialOf(remote)
  if (remote?.kind !== 'url' || credential === undefined) return []
  return [[`http.${remote.url}.extraHeader`, `Authorization: Basic ${basic(credential)}`]]
}
