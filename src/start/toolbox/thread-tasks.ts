import type { IgnoreEntry } from '../../lib/prompts/ignore-prompt.ts'
import type {
  Change,
  GrepOptions,
  GrepResult,
  History,
  LogQuery,
  ShownCommit,
} from '../../features/agent/workspace/base-tree.ts'
import type { DirtyEntry, FileDifference } from '../../features/agent/workspace/workspace.ts'
import type { DocsResult } from '../../features/agent/tools/search-docs.ts'
import type { SaidText, UnprovenClaim } from '../../features/agent/workspace/toolbox.ts'
import type { ReadRecord } from '../../features/agent/tools/calls/read-record.ts'
import type { TreeEntry } from '../../integrations/git/trees/list-tree.ts'
import type { LinterCall, LinterOutput } from '../../integrations/linters/linter.ts'
import type { CheckColumn, ViolationColumn } from '../../store/columns.ts'

/** What the main thread and a thread of toolboxes say to each other. */
export interface ToolboxContract {
  task: ToolboxTask
  answer: ToolboxAnswer
  request: ToolboxRequest
  reply: ToolboxReply
}

type ToolboxTask =
  /** Only starts the thread. */
  | { kind: 'start' }
  | { kind: 'close'; session: number }
  /** `version` counts what has happened to the session; `state` comes when the thread has asked for it. */
  | { kind: 'work'; session: number; version: number; state?: SessionState; work: Work }

export type Work =
  /** `isFirst`: of its answer. */
  | { kind: 'call'; name: string; input: unknown; isFirst: boolean }
  | { kind: 'problems' }
  | { kind: 'hosts' }
  | { kind: 'overview' }
  | { kind: 'violations' }
  | { kind: 'claims'; texts: readonly SaidText[]; earlier: readonly FileDifference[] }
  /** `whole`: what the job has changed so far, where that may be too much in sum. */
  | { kind: 'tree'; differences: FileDifference[]; whole: FileDifference[] | undefined }

export type ToolboxAnswer =
  | { kind: 'done' }
  /** The thread does not have the session, or not as it is by now. */
  | { kind: 'unknown' }
  | { kind: 'call'; output: unknown; changes: DirtyEntry[] }
  | { kind: 'problems'; problems: CheckColumn[] }
  | { kind: 'hosts'; sentences: string[] }
  | { kind: 'claims'; claims: UnprovenClaim[] }
  | { kind: 'overview'; text: string }
  | { kind: 'violations'; violations: ViolationColumn[] }
  | { kind: 'tree'; violations: ViolationColumn[] }

/** A turn's toolbox, as it can be opened in any thread at any time. */
export interface SessionState {
  root: string
  allow: readonly string[]
  protect: readonly string[]
  allowedHosts: readonly string[]
  allowedImports: readonly string[]
  allowedParts: readonly string[]
  strict: boolean
  contextRepositories: readonly string[]
  /** The prompts of the job so far. */
  request: string
  /** The one entry that a person lets this turn add to `.docwright/ignore.yml`. */
  ignores: IgnoreEntry | undefined
  /** Of the base tree, as `packList` packs it. */
  files: string
  overlay: Change[]
  reads: ReturnType<ReadRecord['all']>
  /** Keys of texts that have taken too long, and for what. */
  tooMuch: string[]
  /** Files that earlier turns of the job have made, and no base branch has. */
  unpublished: readonly string[]
}

/** What only the main thread has: git, the index, programs. `tree` is the name of a context repository, or empty. */
export type ToolboxRequest =
  | { kind: 'read'; tree: string; paths: readonly string[] }
  | { kind: 'grep'; tree: string; changes: readonly Change[]; pattern: string; options: GrepOptions }
  | { kind: 'search'; query: string; limit: number }
  | { kind: 'linter'; program: string }
  | { kind: 'lint'; program: string; call: LinterCall }
  | { kind: 'context'; name: string; pinned: string | undefined }
  | { kind: 'log'; tree: string; query: LogQuery }
  | { kind: 'tags'; tree: string; limit: number }
  | { kind: 'commit'; tree: string; commit: string; path: string }
  | { kind: 'diff'; tree: string; from: string; to: string; paths: readonly string[] }

export type ToolboxReply =
  | { kind: 'read'; contents: (Uint8Array | undefined)[] }
  | { kind: 'grep'; found: GrepResult }
  | { kind: 'search'; hits: readonly DocsResult[] | undefined }
  | { kind: 'linter'; isThere: boolean }
  | { kind: 'lint'; output: LinterOutput | undefined }
  | { kind: 'context'; commit: string; files: string }
  | { kind: 'log'; log: Awaited<ReturnType<History['log']>> }
  | { kind: 'tags'; tags: Awaited<ReturnType<History['tags']>> }
  | { kind: 'commit'; shown: ShownCommit }
  | { kind: 'diff'; text: string; truncated: boolean }

/** Ten thousand files as one text, which costs a fraction of ten thousand objects on the way. */
export function packList(files: readonly TreeEntry[]): string {
  return files.map(({ mode, oid, path }) => `${mode} ${oid} ${path}`).join('\0')
}

export function unpackList(packed: string): TreeEntry[] {
  if (packed === '') return []
  return packed.split('\0').map((entry) => {
    const end = entry.indexOf(' ', 7)
    return { mode: entry.slice(0, 6), oid: entry.slice(7, end), path: entry.slice(end + 1) }
  })
}
