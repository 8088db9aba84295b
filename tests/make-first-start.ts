import type { FirstStart } from './first-start.ts'
import { startServer } from './server.ts'

/** The first start of this run, for servers whose tests have another subject. */
export async function makeFirstStart(): Promise<FirstStart> {
  await using server = await startServer({ isFirstStart: true })
  await server.stop()
  return {
    dataFolder: server.dataFolder,
    template: new URL(server.databaseUrl ?? '').pathname.slice(1),
    printed: server.output(),
  }
}
