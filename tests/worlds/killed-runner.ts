import { openEmbeddedStore, openPostgresStore } from '../../src/store/database.ts'
import { openJobWorld } from './job-world.ts'
import { mortalPorts } from './mortal-ports.ts'
import { runJob } from '../../src/features/agent/loop/run-job.ts'
import { writingModel } from './scripted-model.ts'

// For tests, as a process of its own: runs one job and kills itself at a point of it.
// Arguments: engine, folder or address of the store, folder of the world, project, job, point (0: none).
const [engine, location = '', folder = '', projectId = '', jobId = '', point = '0'] = process.argv.slice(2)
await using store =
  engine === 'pglite' ? await openEmbeddedStore(location) : await openPostgresStore(location)
const world = await openJobWorld(store, writingModel(), { folder, projectId })
let reached = 0
const reach = (): void => {
  if (++reached === Number(point)) process.kill(process.pid, 'SIGKILL')
}
await runJob(mortalPorts(world.ports, reach), jobId)
