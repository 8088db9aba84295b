import { newProblems, type CheckTools } from '../../src/site/checks/new-problems.ts'
import type { Problem } from '../../src/site/checks/problem.ts'
import { type Tree, openTree } from './open-tree.ts'

/** The new problems of a tree after some files were written, or removed where the text is undefined. */
export async function problemsAfter(
  tree: Tree,
  changes: Readonly<Record<string, string | undefined>>,
  tools: Partial<CheckTools> = {},
): Promise<Problem[]> {
  const { workspace, baseView, view } = await openTree(tree)
  for (const [path, text] of Object.entries(changes)) {
    if (text === undefined) workspace.remove(path)
    else workspace.write(path, Buffer.from(text))
  }
  return newProblems(baseView, view, tools)
}
