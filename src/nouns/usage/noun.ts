import { limitSizeEndpoints } from './limit-sizes.ts'
import { modelEndpoints } from './models.ts'

/** What models and limits there are, and what of them is used. */
export const usage = { endpoints: [modelEndpoints, limitSizeEndpoints], pages: [] } as const
