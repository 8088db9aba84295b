import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const paragraph = 'Documentation says what a product does, how it is set up and what to do when it fails. '

/** A repository with `count` pages of about 2 KB in 20 folders. @returns its folder */
export async function generateRepository(folder: string, count: number): Promise<string> {
  for (let n = 0; n < count; n++) {
    const path = join(folder, `section-${n % 20}`, `page-${n}.md`)
    await mkdir(join(path, '..'), { recursive: true })
    await writeFile(path, `# Page ${n}\n\n${`${paragraph}\n\n## Part\n\n`.repeat(20)}`)
  }
  execFileSync('git', ['init', '-q', '-b', 'main', folder])
  execFileSync('git', ['-C', folder, 'add', '-A'])
  const author = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com']
  execFileSync('git', ['-C', folder, ...author, 'commit', '-qm', 'Start'])
  return folder
}
