/** One file of the final diff. Modes as git writes them: of the file as it is after, and as it was in the base. */
export interface FileDifference {
  path: string
  before?: Uint8Array | undefined
  after?: Uint8Array | undefined
  mode?: string | undefined
  baseMode?: string | undefined
}
