/** A model that people may choose. */
export interface OfferedModel {
  name: string
  /** US dollars per million tokens; undefined where it is not known. */
  price: { input: number; output: number } | undefined
  /** Tokens that it can read at once; undefined where that is not known. */
  context: number | undefined
}

/** @returns `problems`: why the list of a provider may be incomplete, one sentence each */
export type OfferedModels = () => Promise<{ models: OfferedModel[]; problems: string[] }>
