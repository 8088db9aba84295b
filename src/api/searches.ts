import { createRate } from './rate.ts'

/** Searches and pages read, over the API and in the documentation's own pages: far above what people type. */
export const searches = createRate('search', { address: 600, key: 3000, project: 6000 })
