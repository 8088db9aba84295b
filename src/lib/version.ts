/** The version of this software. */
export const version = '0.1.0'
