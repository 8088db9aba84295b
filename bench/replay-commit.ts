import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gitBaseTree } from '../src/features/agent/workspace/git-base-tree.ts'
import { pathViolation } from '../src/features/agent/policy/check-changes.ts'
import { decodeText } from '../src/site/text/encoding.ts'
import type { Change } from '../src/features/agent/workspace/base-tree.ts'
import { openBlobReader } from '../src/integrations/git/trees/blob-reader.ts'
import { changedFiles } from '../src/integrations/git/trees/changed-files.ts'
import type { Repository } from '../src/integrations/git/git.ts'
import { GitError } from '../src/integrations/git/process/run-git.ts'
import { writeTree } from '../src/integrations/git/trees/write-tree.ts'
import { openBase } from '../tests/agent/open-tree.ts'
import { readHunks } from './replay-hunks.ts'
import type { Hunk } from './replay-hunks.ts'

export interface CommitReplay {
  reproduced: boolean
  /** Documentation files that the commit changes. */
  files: number
  /** Files of the commit that no agent may change, such as code and images, or that are binary. */
  skipped: number
  edits: number
  refused: number
  rewritten: number
  moved: number
  deleted: number
  /** Milliseconds of each call of an edit tool. */
  editTimes: number[]
  problems: string[]
}

type Tools = Awaited<ReturnType<typeof openBase>>

const page = /\.(?:md|mdx|markdown)$/i

/** Repeats with the tools what the commit did to the documentation, and compares the trees. */
export async function replayCommit(
  repository: Repository,
  input: { commit: string; parent: string; root: string },
): Promise<CommitReplay> {
  const replay: CommitReplay = {
    reproduced: false,
    files: 0,
    skipped: 0,
    edits: 0,
    refused: 0,
    rewritten: 0,
    moved: 0,
    deleted: 0,
    editTimes: [],
    problems: [],
  }
  await using reader = await openBlobReader(repository)
  const base = gitBaseTree(repository, input.parent, reader, new AbortController().signal)
  const tools = await openBase(base, { root: input.root })
  const { configPaths, navigationFiles, openKeys, redirectFile } = await tools.baseView.site()
  const scope = { root: input.root, configPaths, navigationFiles, openKeys, redirectFile }
  const wanted = new Map<string, Buffer | undefined>()
  const moves: { from: string; to: string }[] = []
  for (const file of await changedFiles(repository, input.parent, input.commit)) {
    const paths = [file.path, ...(file.oldPath === undefined ? [] : [file.oldPath])]
    const allowed = paths.every((path) => pathViolation(path, scope) === undefined)
    const modes = [file.mode, file.oldMode].filter((mode) => mode !== undefined)
    const content = file.oid === undefined ? undefined : await reader.read(file.oid)
    const usable = content === undefined || (content.state === 'read' && !content.content.includes(0))
    if (!allowed || file.binary || !usable || modes.some((mode) => mode !== '100644')) {
      replay.skipped++
      continue
    }
    if (file.oldPath !== undefined) wanted.set(file.oldPath, undefined)
    wanted.set(file.path, content?.state === 'read' ? content.content : undefined)
    if (file.oldPath !== undefined && page.test(file.path)) moves.push({ from: file.oldPath, to: file.path })
  }
  replay.files = wanted.size
  if (wanted.size === 0) return replay

  const call = async (name: string, args: Record<string, unknown>): Promise<boolean> => {
    const before = performance.now()
    const output = await tools.call(name, args)
    if (name !== 'read_file') replay.editTimes.push(performance.now() - before)
    if (!('error' in output)) return true
    replay.refused++
    replay.problems.push(`${name} ${JSON.stringify(args).slice(0, 160)}: ${JSON.stringify(output['error'])}`)
    return false
  }
  for (const move of moves) if (await call('move_page', move)) replay.moved++
  for (const [path, content] of wanted)
    if (content === undefined && tools.workspace.has(path) && (await call('delete_page', { path })))
      replay.deleted++
  // Changes that moving and deleting made to other files are reverted, or replaced by those of the commit.
  const touched = new Set([...wanted.keys(), ...tools.workspace.changes().map(({ path }) => path)])
  for (const path of touched) {
    const target = wanted.has(path) ? wanted.get(path) : await tools.workspace.readBase(path)
    if (target !== undefined) await bring(tools, repository, replay, call, path, Buffer.from(target))
  }
  replay.reproduced = await sameTree(tools, repository, input.parent, wanted)
  if (!replay.reproduced) replay.problems.push(`the tree differs: ${await differences(tools, wanted)}`)
  return replay
}

type Call = (name: string, args: Record<string, unknown>) => Promise<boolean>

/** Gives a file its final content: by edits if it exists, else by writing it. */
async function bring(
  { workspace }: Tools,
  repository: Repository,
  replay: CommitReplay,
  call: Call,
  path: string,
  target: Buffer,
): Promise<void> {
  const present = workspace.has(path) ? await workspace.read(path) : undefined
  if (present !== undefined && target.equals(present)) return
  if (present !== undefined) {
    if (!(await readWhole(call, path))) return
    const hunks = await hunksBetween(repository, Buffer.from(present), target)
    const edits = withoutLines(hunks, present, target)
    // A model that gets the error "ambiguous" tries again with line numbers.
    if (
      hunks.length > 0 &&
      ((await call('edit_file', { path, edits })) || (await call('edit_file', { path, edits: hunks })))
    )
      replay.edits += edits.length
    const now = await workspace.read(path)
    if (now !== undefined && target.equals(now)) return
    replay.rewritten++
  }
  // The given content includes its line ends and the final newline.
  const text = textOf(target)
  await call('write_file', { path, content: text, exact: true })
}

async function readWhole(call: Call, path: string): Promise<boolean> {
  return call('read_file', { path })
}

/** The hunks between two contents, from the last to the first, so that line numbers stay valid. */
async function hunksBetween(repository: Repository, before: Buffer, after: Buffer): Promise<Hunk[]> {
  const names = ['before', 'after'].map((name) => join(repository.git.folder, name))
  await Promise.all([before, after].map((bytes, index) => writeFile(names[index] ?? '', textOf(bytes))))
  const words = ['diff', '--no-index', '--no-color', '-U0', '--text', '--diff-algorithm=histogram', ...names]
  let diff = ''
  try {
    execFileSync('git', words, { cwd: repository.git.folder })
  } catch (error) {
    // `git diff` exits with 1 when there are differences.
    if (error instanceof Error && 'stdout' in error) diff = String(error.stdout)
  }
  return readHunks(diff, textOf(before))
}

/** Keeps line numbers only where the text alone is ambiguous, as a model would. */
function withoutLines(
  hunks: readonly Hunk[],
  before: Uint8Array,
  after: Uint8Array,
): { search: string; replace: string; line?: number }[] {
  const texts = [before, after].map(textOf)
  const unique = (search: string): boolean => texts.every((text) => text.split(search).length <= 2)
  return hunks.map((hunk) => (unique(hunk.search) ? { search: hunk.search, replace: hunk.replace } : hunk))
}

async function sameTree(
  tools: Tools,
  repository: Repository,
  parent: string,
  wanted: ReadonlyMap<string, Buffer | undefined>,
): Promise<boolean> {
  const changes: Change[] = [...wanted].map(([path, content]) => ({ path, content }))
  try {
    const expected = await writeTree(repository, { base: parent, changes })
    return expected === (await writeTree(repository, { base: parent, changes: tools.workspace.changes() }))
  } catch (error) {
    // A partial clone lacks objects of other files. Then only the changed files are compared.
    if (!(error instanceof GitError && error.stderr.includes('invalid object'))) throw error
    return (await differences(tools, wanted)) === ''
  }
}

async function differences(
  { workspace }: Tools,
  wanted: ReadonlyMap<string, Buffer | undefined>,
): Promise<string> {
  const paths: string[] = []
  for (const path of new Set([...wanted.keys(), ...workspace.changes().map((change) => change.path)])) {
    const target = wanted.has(path) ? wanted.get(path) : await workspace.readBase(path)
    const now = workspace.has(path) ? await workspace.read(path) : undefined
    const same =
      target === undefined ? now === undefined : now !== undefined && Buffer.from(target).equals(now)
    if (!same) paths.push(path)
  }
  return paths.slice(0, 5).join(', ')
}

/** The text as the tools see it, whatever its encoding. */
function textOf(bytes: Uint8Array): string {
  return decodeText(bytes)?.text ?? Buffer.from(bytes).toString('utf8')
}
