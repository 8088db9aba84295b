import type { NavigationFile } from '../../../site/code-config/read-navigation.ts'
import type { BaseSite } from './base-site.ts'
import { codeConfigurationObjection } from './code-configuration.ts'
import { configurationObjection, jsonObjection } from './check-configuration.ts'
import type { FileDifference } from './file-difference.ts'
import type { Violation } from './violation.ts'
import { removalViolations } from './check-removals.ts'
import { optsOut } from './opt-out.ts'
import { withoutSecrets } from './find-secrets.ts'
import { holdsSecrets, isDocumentation, isLocked, isSettings } from './path-rules.ts'
import { pathObjection } from '../../../site/text/repository-path.ts'
import { decodeText } from '../../../site/text/encoding.ts'

/** Where a project lets its agent write. */
export interface WriteScope {
  /** Folder of the documentation without slashes at its ends; empty for the whole repository. */
  root: string
  /** Files outside of it that belong to the site: its configuration. */
  configPaths: readonly string[]
  /** Files of code with the navigation in them, as the base has them: only that may be edited. */
  navigationFiles?: readonly NavigationFile[]
  /** What the project allows besides: files outside of the folder or of other kinds. */
  allows?: (path: string) => boolean
  /** What it keeps from every agent. */
  protects?: (path: string) => boolean
  /** Names of repositories that are only read, as `@name/…`. */
  readOnly?: readonly string[]
}

const maxFiles = 2000
const maxFileBytes = 1024 * 1024
const maxTotalBytes = 16 * 1024 * 1024

/**
 * What of a final diff may not be published, by paths, kinds of files and sizes: total, with no way around it.
 * Nothing means that all may. `pages` is the number of the site's pages before; `begin` is told of each file.
 */
export function checkChanges(
  changes: readonly FileDifference[],
  scope: WriteScope,
  pages = Infinity,
  begin?: BaseSite['begin'],
): Violation[] {
  const violations = changes.flatMap((change) => {
    const content = change.after ?? change.before
    if (content !== undefined) begin?.(change.path, content)
    return violationsOf(change, scope)
  })
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
  return [...violations, ...removalViolations(changes, pages, scope.allows)]
}

function violationsOf(change: FileDifference, scope: WriteScope): Violation[] {
  const { path, before, after, mode, baseMode } = change
  const violations: Violation[] = []
  const refused = pathViolation(path, scope)
  if (refused !== undefined) violations.push(refused)
  if (optsOut(path, before)) {
    violations.push({
      code: 'opt-out',
      path,
      message: 'It says in its front matter that no agent may change it',
    })
  }
  if (baseMode !== undefined && !baseMode.startsWith('100')) {
    violations.push({ code: 'mode', path, message: `It is ${kindOf(baseMode)}, which is never changed` })
  }
  const navigation = scope.allows?.(path) === true ? undefined : navigationFile(path, scope)
  if (after === undefined) {
    if (navigation !== undefined)
      violations.push({ code: 'protected', path, message: 'It holds the navigation of the site' })
    return violations
  }
  const isConfig = scope.configPaths.includes(path)
  const objection =
    navigation === undefined
      ? isConfig && settingsObjection(path, before, after)
      : codeConfigurationObjection(navigation, before, after)
  if (typeof objection === 'string') violations.push({ code: 'protected', path, message: objection })
  if (mode !== undefined && mode !== '100644' && !(mode === '100755' && before !== undefined)) {
    violations.push({ code: 'mode', path, message: `It would be ${kindOf(mode)}` })
  }
  if (after.length > maxFileBytes && after.length > (before?.length ?? 0)) {
    violations.push({ code: 'size', path, message: 'It would be larger than 1 MiB' })
  }
  if (isElsewhere(before)) {
    violations.push({ code: 'binary', path, message: 'It stands for a Git LFS file, which is never changed' })
  }
  if (isBinary(before, after)) {
    violations.push({ code: 'binary', path, message: 'It would be a binary file' })
  } else if (startOf(after) === '#!' && startOf(before) !== '#!') {
    violations.push({ code: 'protected', path, message: 'It would be a script' })
  }
  return violations
}

function settingsObjection(
  path: string,
  before: Uint8Array | undefined,
  after: Uint8Array,
): string | undefined {
  if (/\.ya?ml$|(?:^|\/)\.pages$/i.test(path)) return configurationObjection(before, after)
  return /\.jsonc?$/i.test(path) ? jsonObjection(before, after) : undefined
}

function navigationFile(path: string, { navigationFiles = [] }: WriteScope): NavigationFile | undefined {
  return navigationFiles.find((file) => file.path === path)
}

/** Why a path may not be written in a project, whatever its content. */
export function pathViolation(path: string, scope: WriteScope): Violation | undefined {
  const reason = pathObjection(path)
  if (reason !== undefined) return { code: 'path', path, message: `The path is not allowed: ${reason}` }
  const refused = (code: Violation['code'], message: string): Violation => ({ code, path, message })
  if (isLocked(path)) {
    return refused('protected', 'Repository settings, workflows, package and lock files are never changed')
  }
  if (holdsSecrets(path)) return refused('protected', 'It is made to hold secrets')
  if (withoutSecrets(path) !== path) return refused('path', 'Its name looks like a secret')
  if (scope.readOnly?.some((name) => path === `@${name}` || path.startsWith(`@${name}/`)) === true) {
    return refused('outside', 'That repository is only there to be read')
  }
  if (scope.protects?.(path) === true) return refused('protected', 'The project protects it')
  if (scope.configPaths.includes(path) && /\.(?:jsonc?|ya?ml)$|(?:^|\/)\.pages$/i.test(path)) return undefined
  if (navigationFile(path, scope) !== undefined) return undefined
  if (scope.allows?.(path) === true) return undefined
  const root = scope.root.replaceAll(/^\/+|(?<!\/)\/+$/g, '')
  if (root !== '' && !path.startsWith(`${root}/`)) {
    return refused('outside', `It lies outside of the documentation folder ${root}/`)
  }
  if (isSettings(path)) {
    return refused(
      'protected',
      'Settings of tools and instructions to agents are not changed unless the project allows it',
    )
  }
  if (!isDocumentation(path)) {
    return refused('protected', 'Only documentation files are changed: Markdown, text, JSON and YAML')
  }
  return undefined
}

// What Git LFS leaves in the repository in a file's place.
function isElsewhere(before: Uint8Array | undefined): boolean {
  const sign = 'version https://git-lfs.github.com/spec/'
  return new TextDecoder().decode(before?.subarray(0, sign.length)) === sign
}

// A file that was text in its encoding may stay so; a new one has to be UTF-8.
function isBinary(before: Uint8Array | undefined, after: Uint8Array): boolean {
  const encoding = encodingOf(after)
  return encoding !== 'utf-8' && (encoding === undefined || encodingOf(before) !== encoding)
}

function encodingOf(content: Uint8Array | undefined): string | undefined {
  const encoding = content === undefined ? undefined : decodeText(content)?.encoding
  return encoding === 'utf-8-damaged' ? 'windows-1252' : encoding
}

function startOf(content: Uint8Array | undefined): string {
  return new TextDecoder().decode(content?.subarray(0, 2))
}

function kindOf(mode: string): string {
  if (mode === '120000') return 'a symbolic link'
  if (mode === '160000') return 'a submodule'
  return mode === '100755' ? 'an executable file' : 'of an unknown kind'
}
