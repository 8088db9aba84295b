/** The API’s description has no `exclusiveMinimum`, which tools read in two ways. */
export const smallestAmount = 0.000001
