import { createImpactThread } from '../features/impact/impact-thread.ts'

/** One for the process: what it has read of code and pages serves the next change. */
export const impactThread = createImpactThread()
