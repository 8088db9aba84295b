/**
 * Replays real commits as jobs of a running server, over HTTP: a scripted model that knows what each commit did works with the
 * tools as a model does, from what they print. The branch that the server makes has to hold the commit's tree, byte for byte.
 *
 *   node bench/replay-http.ts --repository path [--root docs] [--commits 6] [--only SHA,SHA] [--subtree]
 *
 * Only commits count that change nothing but pages and navigation under the root. Branches are made in a temporary clone; with
 * `--subtree` of the root alone, where other objects are missing.
 */
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startModelMock } from '../tests/model-mock.ts'
import { runCommand, settledJob, startServer } from '../tests/server.ts'
import { readHunks } from './replay-hunks.ts'

const { values } = parseArgs({
  options: {
    repository: { type: 'string' },
    root: { type: 'string', default: '' },
    commits: { type: 'string', default: '6' },
    only: { type: 'string' },
    subtree: { type: 'boolean', default: false },
  },
})
if (values.repository === undefined) throw new Error('Give --repository, the path of a git repository')
const { root } = values
const inside = values.subtree ? '' : root
const source = resolve(values.repository)
const folder = await mkdtemp(join(tmpdir(), 'docwright-replay-'))
const clone = join(folder, 'clone.git')
const documentation =
  /\.(?:md|mdx|markdown)$|(?:^|\/)(?:mkdocs\.ya?ml|docs\.json|mint\.json|_toc\.yml|\.nav\.yml)$/

type Step = [tool: string, input: Record<string, unknown>]
interface Wish {
  commit: string
  parent: string
  moved: { from: string; to: string }[]
  /** The content that each file has to have in the end; undefined to delete it. */
  files: Map<string, string | undefined>
}
const scripts = new Map<string, AsyncGenerator<Step[], void, string[]>>()
const refused: string[] = []
const objections: string[] = []

try {
  execFileSync('git', ['clone', '--quiet', '--bare', '--shared', source, clone])
  const wishes = commits()
  if (wishes.length === 0)
    throw new Error('No commit changes nothing but pages and navigation under the root')
  for (const ref of git('for-each-ref', '--format=%(refname)').split('\n')) git('update-ref', '-d', ref)
  for (const { commit, parent } of wishes) git('branch', '-f', `at-${commit.slice(0, 10)}`, baseOf(parent))
  git('branch', 'main', baseOf(wishes[0]?.commit ?? ''))
  git('symbolic-ref', 'HEAD', 'refs/heads/main')
  await using model = await startModelMock(async ({ prompt, request }) => {
    const commit = /Replay ([0-9a-f]{40})/.exec(JSON.stringify(request.messages))?.[1] ?? ''
    const wish = wishes.find((one) => one.commit === commit)
    if (wish === undefined) return `There is no commit in: ${prompt.slice(0, 100)}`
    const known = scripts.get(commit)
    const script = known ?? work(wish)
    scripts.set(commit, script)
    const outputs: string[] = []
    for (const { role, content } of request.messages.toReversed()) {
      if (role !== 'tool') break
      outputs.unshift(typeof content === 'string' ? content : JSON.stringify(content))
    }
    const last = request.messages.at(-1)
    if (known !== undefined && last?.role !== 'tool') outputs.push(JSON.stringify(last?.content))
    const next = known === undefined ? await script.next([]) : await script.next(outputs)
    return next.done === true ? 'The script has come to its end' : next.value
  })
  await using server = await startServer({ arguments: ['--no-demo'], environment: model.environment })
  const words = [
    'project',
    'add',
    clone,
    '--domain',
    'replay',
    '--json',
    ...(inside === '' ? [] : ['--root', inside]),
  ]
  const added = await runCommand(server.dataFolder, ...words)
  if (added.code !== 0) throw new Error(added.stderr)
  const { id, framework, pages } = JSON.parse(added.stdout)
  console.log(`${values.repository} ${framework} ${pages} pages, ${wishes.length} commits`)
  const key = server.welcome.adminKey
  let same = 0
  for (const { commit, files, moved } of wishes) {
    const body = { prompt: `Replay ${commit}`, base: `at-${commit.slice(0, 10)}` }
    const created = await server.request('POST', `/v2/agent/${id}/job`, { key, body })
    const { id: job } = (await created.json()) as { id: string }
    if (!created.ok) {
      console.log(commit.slice(0, 10), 'not created', created.status)
      continue
    }
    const place = `/v2/agent/${id}/job/${job}`
    const settled = await settledJob(server, place, key)
    const branch = git('for-each-ref', '--format=%(refname:short)', '--sort=-creatordate', 'refs/heads')
      .split('\n')
      .find((name) => name.includes(job) || name.includes(job.slice(-8)))
    const differing = branch === undefined ? 'no branch' : git('diff', '--stat', treeOf(commit), branch)
    if (differing === '') same++
    const told = settled['status'] === 'completed' && settled['outcome'] === 'changed' && differing === ''
    console.log(
      `${commit.slice(0, 10)} ${String(settled['status'])} ${String(settled['outcome'])} ${settled['draft'] === true ? 'draft ' : ''}` +
        `${differing === '' ? 'equal' : `DIFFERS ${differing.slice(0, 300)}`} (${files.size} files, ${moved.length} moved)`,
    )
    const events = await server.request('GET', `${place}/events?limit=500`, { key })
    if (!told || process.env['SHOW'] !== undefined)
      console.log(JSON.stringify(settled).slice(0, 1500), '\n', (await events.text()).slice(-1500))
  }
  console.log({ commits: wishes.length, same, refused: refused.length, objections: objections.length })
  for (const line of [...refused, ...objections]) console.log('  ', line)
  if (server.output().includes('error')) console.log(server.output().slice(-2000))
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** What a model would do, step by step; it is given what the tools print. */
async function* work({ commit, parent, moved, files }: Wish): AsyncGenerator<Step[], void, string[]> {
  const tell = (output: string | undefined, what: string): boolean => {
    if (output?.startsWith('Error') !== true) return true
    refused.push(`${commit.slice(0, 10)} ${what}: ${output.slice(0, 400)}`)
    return false
  }
  for (const move of moved) tell((yield [['move_page', move]])[0], `move_page ${JSON.stringify(move)}`)
  for (const [path, content] of files) {
    if (content !== undefined || moved.some(({ from }) => from === path)) continue
    tell((yield [['delete_page', { path }]])[0], `delete_page ${path}`)
  }
  // What moving and deleting changed elsewhere, and the commit did not, is taken back.
  if (moved.length > 0 || [...files.values()].includes(undefined)) {
    const [shown = ''] = yield [['diff', {}]]
    const list = /(?:^|\n)files:\n((?: {2}.*\n?)*)/.exec(shown)?.[1] ?? ''
    for (const line of list.split('\n')) {
      const [, path = '', state = ''] = /^ {2}(.*?): (.*)$/.exec(line) ?? []
      if (path !== '' && !files.has(path) && state === 'changed')
        tell((yield [['revert_file', { path }]])[0], `revert_file ${path}`)
    }
  }
  for (const [path, content] of files) {
    if (content === undefined) continue
    let now: string | undefined
    for (let startLine = 1; ;) {
      const [output = ''] = yield [['read_file', { path, startLine }]]
      if (output.startsWith('Error')) {
        if (!output.includes('not_found')) tell(output, `read_file ${path}`)
        break
      }
      const numbered = output.split('\n').filter((line) => /^\d+\t/.test(line))
      now = `${now ?? ''}${numbered.map((line) => `${line.slice(line.indexOf('\t') + 1)}\n`).join('')}`
      if (!/(?:^|\n)truncated: true/.test(output) || numbered.length === 0) break
      startLine += numbered.length
    }
    if (now === undefined) {
      tell((yield [['write_file', { path, content, exact: true }]])[0], `write_file ${path}`)
      continue
    }
    // What no tool tells.
    const before = moved.find(({ to }) => to === path)?.from ?? path
    if (isOpenAtEnd(`${parent}:${full(before)}`)) now = now.slice(0, -1)
    if (now === content) continue
    const hunks = await hunksBetween(now, content)
    const plain = hunks.map(({ search, replace }) => ({ search, replace }))
    const [edited = ''] = yield [['edit_file', { path, edits: plain }]]
    if (edited.startsWith('Error')) {
      if (!edited.startsWith('Error (ambiguous)'))
        tell(edited, `edit_file ${path} ${JSON.stringify(plain).slice(0, 300)}`)
      tell((yield [['edit_file', { path, edits: hunks }]])[0], `edit_file ${path} with lines`)
    }
  }
  const finish: Step = [
    'finish',
    {
      title: `Replay ${commit.slice(0, 10)}`,
      summary: `Brings ${commit} about, page by page, as it was asked for.`,
    },
  ]
  for (let round = 0; round < 4; round++) {
    const answer: string[] = yield [finish]
    objections.push(`${commit.slice(0, 10)} finish ${round}: ${answer.join(' ').slice(0, 1200)}`)
  }
}

/** Paths as the jobs have them, and as the repository has them. */
function short(path: string): string {
  return values.subtree && root !== '' ? path.slice(root.length + 1) : path
}
function full(path: string): string {
  return values.subtree && root !== '' ? `${root}/${path}` : path
}

/** A commit to begin with, which may hold the root's tree alone. */
function baseOf(commit: string): string {
  const author = ['-c', 'user.name=Replay', '-c', 'user.email=replay@localhost']
  return values.subtree ? git(...author, 'commit-tree', treeOf(commit), '-m', 'Base') : commit
}

function treeOf(commit: string): string {
  if (!values.subtree) return `${commit}^{tree}`
  const list = git('ls-tree', '-r', `${commit}:${root}`)
  const input = list.replaceAll(/^\d+ \w+ (\w+)\t.*$/gm, '$1')
  const state = execFileSync('git', ['-C', clone, 'cat-file', '--batch-check'], {
    input,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  }).split('\n')
  const index = join(folder, `index-${commit}`)
  const env = { ...process.env, GIT_INDEX_FILE: index }
  const present = list
    .split('\n')
    .filter((line, at) => state[at]?.endsWith('missing') !== true && !line.startsWith('160000'))
  execFileSync('git', ['-C', clone, 'update-index', '--index-info'], {
    input: `${present.join('\n')}\n`,
    env,
  })
  return execFileSync('git', ['-C', clone, 'write-tree'], { encoding: 'utf8', env }).trim()
}

function isOpenAtEnd(place: string): boolean {
  try {
    return !execFileSync('git', ['-C', clone, 'cat-file', 'blob', place], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).endsWith('\n')
  } catch {
    return false
  }
}

async function hunksBetween(before: string, after: string) {
  const names = ['before', 'after'].map((name) => join(folder, name))
  await Promise.all([before, after].map((text, index) => writeFile(names[index] ?? '', text)))
  let diff = ''
  try {
    execFileSync('git', [
      'diff',
      '--no-index',
      '--no-color',
      '-U0',
      '--text',
      '--diff-algorithm=histogram',
      ...names,
    ])
  } catch (error) {
    // `git diff` exits with 1 when there are differences.
    if (error instanceof Error && 'stdout' in error) diff = String(error.stdout)
  }
  return readHunks(diff, before)
}

function git(...words: string[]): string {
  return execFileSync('git', ['-C', clone, ...words], { encoding: 'utf8', maxBuffer: 1 << 28 }).trim()
}

function commits(): Wish[] {
  const found: Wish[] = []
  const list =
    values.only?.split(',') ??
    git('log', '--no-merges', '-n', '3000', '--format=%H', 'HEAD', '--', root === '' ? '.' : root).split('\n')
  for (const commit of list) {
    if (found.length >= Number(values.commits)) break
    const lines = git('diff-tree', '-r', '-z', '--no-commit-id', '-M', commit).split('\0')
    const wish: Wish = { commit: git('rev-parse', commit), parent: '', moved: [], files: new Map() }
    let usable = lines.length > 1
    for (let at = 0; at < lines.length - 1;) {
      const [, mode = '', , oid = '', state = ''] = (lines[at] ?? '').split(' ')
      const names = lines.slice(at + 1, at + (/^[RC]/.test(state) ? 3 : 2))
      at += 1 + names.length
      const [path = '', to] = names
      usable &&= names.every(
        (name) => documentation.test(name) && (root === '' || name.startsWith(`${root}/`)),
      )
      usable &&= /^(?:100644|000000)$/.test(mode)
      if (!usable) break
      try {
        const content =
          state === 'D'
            ? undefined
            : execFileSync('git', ['-C', clone, 'cat-file', 'blob', oid], {
                encoding: 'utf8',
                stdio: ['ignore', 'pipe', 'ignore'],
              })
        if (to !== undefined && state.startsWith('R')) {
          wish.moved.push({ from: short(path), to: short(to) })
          wish.files.set(short(path), undefined)
        }
        wish.files.set(short(to ?? path), content)
      } catch {
        usable = false
      }
    }
    if (!usable || wish.files.size === 0 || wish.files.size > 40) continue
    wish.parent = git('rev-parse', `${commit}^`)
    found.push(wish)
  }
  return found
}
