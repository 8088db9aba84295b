import { configurationObjection } from './check-configuration.ts'
import { isGitName, pathObjection } from './repository-path.ts'

/** One file of the final diff; `mode` as git writes it, of the file as it is after. */
export interface FileDifference {
  path: string
  before?: Uint8Array | undefined
  after?: Uint8Array | undefined
  mode?: string | undefined
}

export interface Violation {
  code: 'path' | 'protected' | 'outside' | 'mode' | 'binary' | 'size'
  path: string
  message: string
}

/** Where a project lets its agent write. */
export interface WriteScope {
  /** Folder of the documentation without slashes at its ends; empty for the whole repository. */
  root: string
  /** Files outside of it that belong to the site: its configuration. */
  configPaths: readonly string[]
}

const maxFiles = 2000
const maxFileBytes = 1024 * 1024
const maxTotalBytes = 16 * 1024 * 1024

/** What of a final diff may not be published: total, with no way around it. Nothing means that all may. */
export function checkChanges(changes: readonly FileDifference[], scope: WriteScope): Violation[] {
  const violations = changes.flatMap((change) => violationsOf(change, scope))
  const total = changes.reduce((sum, change) => sum + (change.after?.length ?? 0), 0)
  if (changes.length > maxFiles) {
    violations.push({
      code: 'size',
      path: '',
      message: `${changes.length} files are changed; ${maxFiles} is the limit`,
    })
  }
  if (total > maxTotalBytes) {
    violations.push({ code: 'size', path: '', message: 'The changed files are larger than 16 MiB together' })
  }
  return violations
}

function violationsOf(change: FileDifference, scope: WriteScope): Violation[] {
  const { path, before, after, mode } = change
  const violations: Violation[] = []
  const refused = pathViolation(path, scope)
  if (refused !== undefined) violations.push(refused)
  if (after === undefined) return violations
  const objection =
    scope.configPaths.includes(path) && /\.ya?ml$/i.test(path)
      ? configurationObjection(before, after)
      : undefined
  if (objection !== undefined) violations.push({ code: 'protected', path, message: objection })
  if (mode !== undefined && mode !== '100644' && !(mode === '100755' && before !== undefined)) {
    violations.push({ code: 'mode', path, message: `It would be ${kindOf(mode)}` })
  }
  if (after.length > maxFileBytes && after.length > (before?.length ?? 0)) {
    violations.push({ code: 'size', path, message: 'It would be larger than 1 MiB' })
  }
  if (after.includes(0)) violations.push({ code: 'binary', path, message: 'It would be a binary file' })
  else if (new TextDecoder().decode(after.subarray(0, 2)) === '#!' && !startsAlike(before, after)) {
    violations.push({ code: 'protected', path, message: 'It would be a script' })
  }
  return violations
}

/** Why a path may not be written in a project, whatever its content. */
export function pathViolation(path: string, scope: WriteScope): Violation | undefined {
  const reason = pathObjection(path)
  if (reason !== undefined) return { code: 'path', path, message: `The path is not allowed: ${reason}` }
  const names = path.toLowerCase().split('/')
  const file = names.at(-1) ?? ''
  if (
    names.some((name) => isGitName(name) || name.startsWith('.git')) ||
    names.some((name) => protectedNames.has(name))
  ) {
    return {
      code: 'protected',
      path,
      message: 'Repository settings, workflows and lock files are never changed',
    }
  }
  if (scope.configPaths.includes(path) && dataFile.test(file)) return undefined
  if (protectedFile.test(file)) {
    return { code: 'protected', path, message: 'Code, scripts, build and package files are never changed' }
  }
  const root = scope.root.replaceAll(/^\/+|\/+$/g, '')
  if (root !== '' && !path.startsWith(`${root}/`)) {
    return { code: 'outside', path, message: `It lies outside of the documentation folder ${root}/` }
  }
  if (!documentation.test(file)) {
    return {
      code: 'protected',
      path,
      message: 'Only documentation files are changed: Markdown, text, JSON and YAML',
    }
  }
  return undefined
}

const protectedNames = new Set([
  '.docwright',
  '.circleci',
  '.husky',
  '.buildkite',
  '.woodpecker',
  '.azure-pipelines',
  '.devcontainer',
  '.vscode',
  '.idea',
  '.cargo',
  '.yarn',
  'node_modules',
])
const protectedFile =
  /^(?:\.gitlab-ci\.ya?ml|\.travis\.ya?ml|\.drone\.ya?ml|\.appveyor\.ya?ml|appveyor\.ya?ml|azure-pipelines\.ya?ml|bitbucket-pipelines\.ya?ml|cloudbuild\.ya?ml|buildspec\.ya?ml|\.readthedocs\.ya?ml|\.pre-commit-config\.ya?ml|jenkinsfile|makefile|dockerfile|containerfile|codeowners|vercel\.json|netlify\.toml|firebase\.json|renovate\.json5?|dependabot\.ya?ml|package\.json|deno\.jsonc?|bunfig\.toml|docker-compose.*|compose\.ya?ml|composer\.json|tsconfig.*\.json|requirements.*\.txt|constraints\.txt|cmakelists\.txt|action\.ya?ml|pnpm-workspace\.yaml|\.env.*|.*[-.]lock(?:\.(?:json|ya?ml))?|.*-lock\.(?:json|ya?ml)|npm-shrinkwrap\.json|go\.(?:mod|sum)|.*\.(?:sh|bash|zsh|fish|bat|cmd|ps1|py|rb|pl|php|js|cjs|mjs|jsx|ts|cts|mts|tsx|vue|svelte|astro|exe|dll|so|dylib|jar|wasm|html?))$/
const documentation = /\.(?:md|mdx|markdown|mdown|txt|rst|adoc|json|jsonc|ya?ml|toml|csv)$/
const dataFile = /\.(?:jsonc?|ya?ml)$/

function startsAlike(before: Uint8Array | undefined, after: Uint8Array): boolean {
  return before !== undefined && before[0] === after[0] && before[1] === after[1]
}

function kindOf(mode: string): string {
  if (mode === '120000') return 'a symbolic link'
  if (mode === '160000') return 'a submodule'
  return mode === '100755' ? 'an executable file' : 'of an unknown kind'
}
