import { openSpawner } from '../src/integrations/git/process/spawner.ts'
import { startGitBy } from '../src/integrations/git/process/start-git.ts'

// As in a server: a test's process is large too. Opened by the first git of a process, for all of its test files, and
// ended with it.
const helper: typeof globalThis & { docwrightSpawner?: ReturnType<typeof openSpawner> } = globalThis
startGitBy(async (program, call) => {
  helper.docwrightSpawner ??= openSpawner()
  return (await helper.docwrightSpawner).start(program, call)
})
