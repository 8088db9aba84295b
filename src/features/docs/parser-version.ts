/** Goes up when pages are parsed otherwise than before: everything stored is then stale. */
export const parserVersion = 1
