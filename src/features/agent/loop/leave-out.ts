import type { ViolationColumn } from '../../../store/columns.ts'
import type { LeftOut } from '../turns/steps.ts'
import type { TurnRun, TurnTools } from '../turns/turn-run.ts'
import { isHeld } from '../workspace/toolbox.ts'
import { openWorkspace, type FileDifference } from '../workspace/workspace.ts'

const mostRounds = 5

/**
 * Takes files out of the changes until the policy holds for the rest. Undefined where nothing would be left, or where
 * what is wrong is not the matter of single files.
 */
export async function leaveOut(
  run: TurnRun,
  tools: Pick<TurnTools, 'workspace' | 'request' | 'ignores'>,
  refused: readonly ViolationColumn[],
): Promise<LeftOut | undefined> {
  const differences = await tools.workspace.differences()
  const paths = new Set<string>()
  const violations: ViolationColumn[] = []
  let found = refused
  for (let round = 1; round <= mostRounds; round++) {
    if (found.length === 0) return { paths: [...paths], violations: violations.slice(0, mostNamed) }
    if (found.some(({ path }) => path === '' || paths.has(path))) return undefined
    violations.push(...found)
    for (const { path } of found) for (const one of movedAlong(path, differences)) paths.add(one)
    if (differences.every(({ path }) => paths.has(path))) return undefined
    using rest = await withoutFiles(run, tools, [...paths])
    found = (await rest.toolbox.violations(run.signal)).filter(isHeld)
  }
  return undefined
}

const mostNamed = 200

/** The turn's tools on a tree in which these files are as they were. */
export async function withoutFiles(
  run: TurnRun,
  { request, ignores, workspace }: Pick<TurnTools, 'workspace' | 'request' | 'ignores'>,
  paths: readonly string[],
): Promise<Pick<TurnTools, 'workspace' | 'toolbox'> & Disposable> {
  const left = new Set(paths)
  const changes = workspace.changes().filter(({ path }) => !left.has(path))
  const rest = await openWorkspace(workspace.baseTree, changes)
  const toolbox = await run.ports.openToolbox({
    project: run.project,
    workspace: rest,
    request,
    ignores,
    calls: [],
  })
  return { workspace: rest, toolbox, [Symbol.dispose]: () => toolbox[Symbol.dispose]() }
}

// A page that was moved stays where it was, instead of being gone from both places.
function movedAlong(path: string, differences: readonly FileDifference[]): string[] {
  const own = differences.find((one) => one.path === path)
  if (own === undefined || (own.before === undefined) === (own.after === undefined)) return [path]
  const lines = linesOf(own.before ?? own.after)
  const isOther = ({ before, after }: FileDifference): boolean => {
    const is = own.before === undefined ? after === undefined : before === undefined
    const others = linesOf(own.before === undefined ? before : after)
    const shared = [...lines].filter((line) => others.has(line)).length
    return is && shared * 2 >= Math.min(lines.size, others.size)
  }
  return [path, ...differences.filter(isOther).map((one) => one.path)]
}

function linesOf(content: Uint8Array | undefined): Set<string> {
  const lines = Buffer.from(content ?? [])
    .toString('utf8')
    .split('\n')
  return new Set(lines.map((line) => line.trim()).filter((line) => line !== ''))
}
