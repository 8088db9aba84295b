import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createGit, type Repository } from '../src/integrations/git/git.ts'
import { openMirror } from '../src/integrations/git/mirrors/open-mirror.ts'

/** An empty repository in `folder` that reads the objects of another one, so that nothing is written there. */
export async function openJudgedRepository(folder: string, objects: string): Promise<Repository> {
  const repository = await openMirror(
    await createGit({ dataFolder: folder, environment: process.env }),
    join(folder, 'judged.git'),
  )
  await mkdir(join(repository.folder, 'objects/info'), { recursive: true })
  await writeFile(join(repository.folder, 'objects/info/alternates'), `${resolve(objects)}\n`)
  return repository
}
