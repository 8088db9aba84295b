import { ThreadFailure, createTextThread } from '../../lib/threads/text-thread.ts'

export interface StripTypes {
  task: string
  answer: string | undefined
}

const thread = createTextThread<StripTypes>(new URL('strip-types.worker.ts', import.meta.url), {
  deadline: 10_000,
  memory: 256,
  idle: 30_000,
})

/**
 * TypeScript with its types made white space, every other character where it was; undefined for what cannot be read.
 * It happens in a thread of its own: deep nesting breaks the parser for good, which must not be the server's.
 */
export async function stripTypes(text: string): Promise<string | undefined> {
  const stripped = await thread.run(text).catch((error: unknown) => {
    if (error instanceof ThreadFailure) return undefined
    throw error
  })
  return stripped?.length === text.length ? stripped : undefined
}
