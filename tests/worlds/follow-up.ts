import { join } from 'node:path'
import { plainGit } from './git/temporary-git.ts'
import type { JobWorld } from './job-world.ts'

/** For tests: what a person pushes to a branch of the project's repository; undefined removes a file. */
export function pushFiles(
  world: JobWorld,
  branch: string,
  files: Readonly<Record<string, string | Buffer | undefined>>,
): string {
  const folder = join(world.folder, 'origin.git')
  const paths = Object.keys(files)
  const present = world.git('ls-tree', '-r', branch).split('\n')
  const kept = present.filter((line) => line !== '' && !paths.includes(line.slice(line.indexOf('\t') + 1)))
  const added = Object.entries(files).flatMap(([path, content]) =>
    content === undefined
      ? []
      : `100644 blob ${plainGit(folder, ['hash-object', '-w', '--stdin'], content)}\t${path}`,
  )
  const tree = writeTree(folder, [...kept, ...added])
  const commit = world.git('commit-tree', tree, '-p', branch, '-m', 'By hand')
  world.git('update-ref', `refs/heads/${branch}`, commit)
  return commit
}

// `mktree` takes one folder at a time.
function writeTree(folder: string, lines: readonly string[]): string {
  const own: string[] = []
  const inside = new Map<string, string[]>()
  for (const line of lines) {
    const [entry = '', path = ''] = line.split('\t')
    const [name = '', ...rest] = path.split('/')
    if (rest.length === 0) own.push(line)
    else inside.set(name, [...(inside.get(name) ?? []), `${entry}\t${rest.join('/')}`])
  }
  for (const [name, entries] of inside) own.push(`040000 tree ${writeTree(folder, entries)}\t${name}`)
  return plainGit(folder, ['mktree'], own.join('\n'))
}
