import { openSpawner } from '../src/integrations/git/spawner.ts'
import { startGitBy } from '../src/integrations/git/start-git.ts'

// As in a server: a test's process is large too. Opened by the first test file's git, and ended with its process.
let spawner: ReturnType<typeof openSpawner> | undefined
startGitBy(async (program, call) => {
  spawner ??= openSpawner()
  return (await spawner).start(program, call)
})
