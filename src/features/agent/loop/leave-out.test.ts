import { expect, it } from 'vitest'
import { openTestToolbox } from '../../../../tests/worlds/toolbox.ts'
import type { TurnRun } from '../turns/turn-run.ts'
import type { BaseTree, Change } from '../workspace/base-tree.ts'
import { openWorkspace } from '../workspace/workspace.ts'
import { leaveOut } from './leave-out.ts'

const run = {
  ports: { openToolbox: openTestToolbox },
  project: {},
  signal: new AbortController().signal,
} as unknown as TurnRun
const guide = '# Guide\n\nInstall it.\n\nThen use it.\n'
const base: BaseTree = {
  listFiles: () =>
    Promise.resolve(
      ['guide.md', 'other.md'].map((path, index) => ({
        path,
        oid: String(index).repeat(40),
        mode: '100644',
        type: 'blob' as const,
      })),
    ),
  read: (path) => Promise.resolve(Buffer.from(path === 'guide.md' ? guide : '# Other\n')),
  grep: () => Promise.resolve({ matches: [], truncated: false }),
}
const written = (path: string, content: string): Change => ({ path, content: Buffer.from(content) })
const refuse = (path: string) => ({ path, line: null, message: 'It is protected' })

it('leaves a moved page where it was, and finds what only shows after that', async () => {
  const workspace = await openWorkspace(base, [
    { path: 'guide.md', content: undefined },
    written('.github/guide.md', guide.replace('use', 'try')),
    written('.github/found-later.md', 'x'),
    written('new.md', 'New\n'),
  ])
  const leftOut = await leaveOut(run, { workspace, request: '' }, [refuse('.github/guide.md')])
  expect(leftOut).toEqual({
    paths: ['.github/guide.md', 'guide.md', '.github/found-later.md'],
    violations: [refuse('.github/guide.md'), refuse('.github/found-later.md')],
  })
})

it('gives up where nothing is left, and where the change as a whole is refused', async () => {
  const workspace = await openWorkspace(base, [written('.github/x.md', 'x')])
  expect(await leaveOut(run, { workspace, request: '' }, [refuse('.github/x.md')])).toBeUndefined()
  const more = await openWorkspace(base, [written('a.md', 'x'), written('b.md', 'x')])
  expect(await leaveOut(run, { workspace: more, request: '' }, [refuse('')])).toBeUndefined()
  expect(await leaveOut(run, { workspace: more, request: '' }, [])).toEqual({ paths: [], violations: [] })
})
