import { isRecord } from '../../../lib/is-record.ts'
import { isHostileYaml } from '../../../lib/text/hostile-yaml.ts'
import { parseYaml } from '../../../lib/text/yaml.ts'
import type { NavigationFile } from '../../../site/site.ts'
import type { BaseSite } from './base-site.ts'
import type { Violation } from './violation.ts'
import type { FileDifference } from '../workspace/workspace.ts'
import { askedDeletions } from './asked-deletions.ts'
import { codeConfigurationObjection } from './code-configuration.ts'
import { configurationObjection, jsonObjection } from './guarded-configuration.ts'
import { hostRedirectObjection } from './host-redirects.ts'
import { renamerOf } from './moved-pages.ts'
import { findFrontMatter, readJson, settingsBut } from './parts/read-data.ts'
import { withoutSecrets } from './find-secrets.ts'
import { holdsSecrets, isDocumentation, isLocked, isSettings } from './protected-files.ts'
import type { IgnoreEntry } from '../../../lib/prompts/ignore-prompt.ts'
import { addsOnly } from '../../../site/checks/whole/ignore-entry.ts'
import { ignorePath } from '../../../site/checks/whole/ignored-problems.ts'
import { pathObjection } from '../../../site/text/repository-path.ts'
import { decodeText, keepsEncoding, readText } from '../../../site/text/encoding.ts'
import { pageEnding } from '../../../site/text/markup.ts'
import { outerSlashes } from '../../../site/text/paths.ts'

/** Where a project lets its agent write. */
export interface WriteScope {
  /** Folder of the documentation without slashes at its ends; empty for the whole repository. */
  root: string
  /** Files outside of it that belong to the site: its configuration. */
  configPaths: readonly string[]
  /** Files of code with the navigation in them, as the base has them: only that may be edited. */
  navigationFiles?: readonly NavigationFile[]
  /** Files of plain data with the one key of each that may be edited; where it is given, `configPaths` may not be. */
  openKeys?: ReadonlyMap<string, readonly string[]> | undefined
  /** The file in which the host of the site reads redirects: only plain ones may change. */
  redirectFile?: string | undefined
  /** What the project allows besides: files outside of the folder or of other kinds. */
  allows?: (path: string) => boolean
  /** What it keeps from every agent. */
  protects?: (path: string) => boolean
  /** Names of repositories that are only read, as `@name/…`. */
  readOnly?: readonly string[]
  /** The prompts of the job: pages that they ask to delete may go. */
  request?: string
  /** The one entry that a person lets this turn add to `.docwright/ignore.yml`. */
  ignores?: IgnoreEntry | undefined
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
  const renamed = renamerOf(changes)
  const violations = changes.flatMap((change) => {
    const content = change.after ?? change.before
    if (content !== undefined) begin?.(change.path, content)
    return violationsOf(change, scope, renamed)
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
  return [...violations, ...removalViolations(changes, pages, scope)]
}

function violationsOf(
  change: FileDifference,
  scope: WriteScope,
  renamed: (text: string) => string,
): Violation[] {
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
  const key = scope.allows?.(path) === true ? undefined : scope.openKeys?.get(path)
  const isOfHost = scope.redirectFile === path
  if (refused === undefined && path === ignorePath && !addsEntry(change, scope))
    violations.push({ code: 'protected', path, message: 'Only the entry that was asked for may be added' })
  if (after === undefined) {
    if (navigation !== undefined || key !== undefined || isOfHost)
      violations.push({ code: 'protected', path, message: 'It contains the navigation of the site' })
    return violations
  }
  const objection = isOfHost
    ? hostRedirectObjection(path, before, after)
    : key !== undefined
      ? keyObjection(path, key, { before, after })
      : navigation === undefined
        ? isOpenConfig(path, scope) && settingsObjection(path, before, after, renamed)
        : codeConfigurationObjection(navigation, before, after, renamed)
  if (typeof objection === 'string') violations.push({ code: 'protected', path, message: objection })
  if (mode !== undefined && mode !== '100644' && !(mode === '100755' && before !== undefined)) {
    violations.push({ code: 'mode', path, message: `It would be ${kindOf(mode)}` })
  }
  if (after.length > maxFileBytes && after.length > (before?.length ?? 0)) {
    violations.push({ code: 'size', path, message: 'It would be larger than 1 MiB' })
  }
  if (isElsewhere(before) || isElsewhere(after)) {
    violations.push({
      code: 'binary',
      path,
      message: 'A Git LFS pointer. Docwright never changes these files',
    })
  }
  if (isBinary(before, after)) {
    violations.push({ code: 'binary', path, message: 'It would be a binary file' })
  } else if (startOf(after) === '#!' && startOf(before) !== '#!') {
    violations.push({ code: 'protected', path, message: 'It would be a script' })
  }
  return violations
}

function addsEntry({ before, after }: FileDifference, { ignores }: WriteScope): boolean {
  if (ignores === undefined || after === undefined) return false
  return addsOnly(before && readText(before), readText(after), ignores)
}

function isOpenConfig(path: string, { configPaths, openKeys }: WriteScope): boolean {
  return openKeys === undefined && configPaths.includes(path)
}

/** Nothing but the value of one key may change; all may if no key is named. */
function keyObjection(
  path: string,
  key: readonly string[],
  { before, after }: { before: Uint8Array | undefined; after: Uint8Array },
): string | undefined {
  if (key.length === 0) return undefined
  const [old, now] = [before, after].map((content) =>
    settingsBut(path, readText(content), (value) => withoutKey(value, key)),
  )
  return now !== undefined && old === now ? undefined : `Only ${key.join('.')} may be changed in it`
}

function withoutKey(value: unknown, [key = '', ...more]: readonly string[]): unknown {
  if (!isRecord(value) || !(key in value)) return value
  const { [key]: inner, ...rest } = value
  return more.length === 0 ? rest : { ...rest, [key]: withoutKey(inner, more) }
}

function settingsObjection(
  path: string,
  before: Uint8Array | undefined,
  after: Uint8Array,
  renamed: (text: string) => string,
): string | undefined {
  if (/\.ya?ml$|(?:^|\/)\.pages$/i.test(path)) return configurationObjection(before, after, renamed)
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
  const isOfHost = scope.redirectFile === path
  const isEntry = scope.ignores !== undefined && path === ignorePath
  if (isLocked(path) && !isOfHost && !isEntry) {
    return refused(
      'protected',
      'The agent can’t change repository settings, workflows, package files, or lock files',
    )
  }
  if (holdsSecrets(path)) return refused('protected', 'This file is meant for secrets')
  if (withoutSecrets(path) !== path) return refused('path', 'File name suggests it contains secrets')
  if (scope.readOnly?.some((name) => path === `@${name}` || path.startsWith(`@${name}/`)) === true) {
    return refused('outside', 'That repository is only there to be read')
  }
  if (scope.protects?.(path) === true) return refused('protected', 'The project protects it')
  if (isEntry || isOfHost || scope.openKeys?.has(path) === true) return undefined
  if (isOpenConfig(path, scope) && /\.(?:jsonc?|ya?ml)$|(?:^|\/)\.pages$/i.test(path)) return undefined
  if (navigationFile(path, scope) !== undefined) return undefined
  if (scope.allows?.(path) === true) return undefined
  const root = scope.root.replaceAll(outerSlashes, '')
  if (root !== '' && !path.startsWith(`${root}/`)) {
    return refused('outside', `Outside the docs folder ${root}/`)
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
  if (decodeText(after)?.encoding === 'utf-8') return false
  return before === undefined || !keepsEncoding(before, after)
}

function startOf(content: Uint8Array | undefined): string {
  return new TextDecoder().decode(content?.subarray(0, 2))
}

function kindOf(mode: string): string {
  if (mode === '120000') return 'a symbolic link'
  if (mode === '160000') return 'a submodule'
  return mode === '100755' ? 'an executable file' : 'of an unknown kind'
}

const optingOut = /\.(?:md|mdx|markdown|mdown|rst|adoc|txt)$/i
const optedOut = /^[ \t]*["']?(?:docwright|ai)["']?[ \t]*[:=][ \t]*["']?(?:false|no|off)\b/im

/**
 * Whether a page says that no agent may change it: `docwright: false` or `ai: false` in its front matter. A doubt
 * counts as yes.
 */
export function optsOut(path: string, content: Uint8Array | undefined): boolean {
  if (content === undefined || !optingOut.test(path)) return false
  const text = readText(content.subarray(0, 128 * 1024)).replaceAll(/\r\n?/g, '\n')
  return (findFrontMatter(text)?.sources ?? []).some(({ source, kind }) => {
    if (optedOut.test(source)) return true
    if (kind === 'toml' || isHostileYaml(source)) return false
    try {
      const data: unknown =
        kind === 'json' ? readJson(source) : parseYaml(source, { lenient: true, merge: true })
      if (typeof data !== 'object' || data === null) return false
      return Object.entries(data).some(([key, value]) => /^(?:docwright|ai)$/i.test(key) && value === false)
    } catch {
      return false
    }
  })
}

const fewPages = 20
const fewLines = 40
const mostMerged = 5

/**
 * What a diff takes away beyond what edits do: most of a page, or a large share of all pages that the request does
 * not ask to delete. Text that has gone to another file of the same diff is not lost.
 */
export function removalViolations(
  changes: readonly FileDifference[],
  pages: number,
  { allows = () => false, request = '' }: Pick<WriteScope, 'allows' | 'request'> = {},
): Violation[] {
  const isAsked = askedDeletions(request)
  const suspects = changes.filter(({ path, before }) => pageEnding.test(path) && before !== undefined)
  const kept = keptLines(changes)
  const violations: Violation[] = []
  const absorbed = new Map<string, number>()
  let deleted = 0
  let emptied = 0
  for (const { path, before, after } of suspects) {
    const lines = linesOf(before)
    const lost = lines.filter((line) => !kept.has(line))
    if (after === undefined) {
      // Moved pages have their lines elsewhere; those few that were mended on the way do not count.
      if (lost.length > 0 && lost.length * 2 >= lines.length) {
        if (!isAsked(path, titleIn(lines))) deleted++
      } else {
        const to = whereTo(lines, kept, absorbed)
        absorbed.set(to, (absorbed.get(to) ?? 0) + 1)
      }
      continue
    }
    const now = linesOf(after)
    const isMost = sizeOf(lost) > sizeOf(lines) * 0.7 && sizeOf(now) < sizeOf(lines) * 0.3
    // A page whose text is written anew is still a page; one that is mostly gone counts as deleted.
    const old = new Set(lines)
    const written = now.filter((line) => !old.has(line))
    const isEmptied = sizeOf(lost) > sizeOf(lines) * 0.7 && sizeOf(written) * 2 < sizeOf(lost)
    if (isEmptied && !isAsked(path, titleIn(lines))) emptied++
    if (!isMost || lost.length <= fewLines || allows(path)) continue
    violations.push({
      code: 'removal',
      path,
      message: `It would remove most of the page: ${lost.length} of its ${lines.length} lines. Delete the page if it is not needed, or keep its text`,
    })
  }
  // A page takes in a few others; one that takes in many only hides that they are gone.
  for (const count of absorbed.values()) if (count > mostMerged) deleted += count - mostMerged
  const limit = Math.min(Math.max(fewPages, Math.floor(pages * 0.2)), Math.floor(pages / 2))
  if (deleted + emptied > limit) {
    violations.push({
      code: 'removal',
      path: '',
      message: `${deleted + emptied} pages would be deleted${emptied > 0 ? ' or emptied' : ''} that the request does not ask to delete; ${limit} is the limit of one job: keep them, or ask the person which to delete`,
    })
  }
  return violations
}

/** The title in front matter, or the first heading. */
function titleIn(lines: readonly string[]): string | undefined {
  const line = lines.slice(0, 30).find((one) => /^(?:title\s{0,9}:|#\s)/.test(one))
  return line?.replace(/^(?:title\s{0,9}:|#)/, '')
}

/** The lines of pages as they would be, with some of the pages that they stand on. What is no page keeps nothing. */
function keptLines(changes: readonly FileDifference[]): ReadonlyMap<string, string[]> {
  const kept = new Map<string, string[]>()
  for (const { path, after } of changes) {
    if (!pageEnding.test(path)) continue
    for (const line of new Set(linesOf(after))) {
      const paths = kept.get(line)
      if (paths === undefined) kept.set(line, [path])
      else if (paths.length < 20) paths.push(path)
    }
  }
  return kept
}

/** The page that holds at least half of some lines and has taken in the fewest others. */
function whereTo(
  lines: readonly string[],
  kept: ReadonlyMap<string, readonly string[]>,
  absorbed: ReadonlyMap<string, number>,
): string {
  const counts = new Map<string, number>()
  for (const line of lines)
    for (const path of kept.get(line) ?? []) counts.set(path, (counts.get(path) ?? 0) + 1)
  const most = Math.min(lines.length / 2, Math.max(0, ...counts.values()))
  const able = [...counts].filter(([, count]) => count >= most).map(([path]) => path)
  return able.reduce(
    (best, one) => ((absorbed.get(one) ?? 0) < (absorbed.get(best) ?? 0) ? one : best),
    able[0] ?? '',
  )
}

function linesOf(content: Uint8Array | undefined): string[] {
  const text = readText(content)
  return withoutComments(withoutComments(text, '<!--', '-->'), '{/*', '*/}')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

// What is commented out is gone for readers.
function withoutComments(text: string, open: string, close: string): string {
  let plain = ''
  let at = 0
  for (let start = text.indexOf(open); start !== -1; start = text.indexOf(open, at)) {
    const end = text.indexOf(close, start + open.length)
    if (end === -1) break
    plain += text.slice(at, start)
    at = end + close.length
  }
  return plain + text.slice(at)
}

function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length, 0)
}
