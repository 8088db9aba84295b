import type { ModelVariable } from '../../lib/model-variables.ts'

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

/** What a model is to be used for. */
export interface ModelWork {
  answers: boolean
  jobs: boolean
}

/**
 * Sends a model what is really sent.
 * @param work both where it is not given
 * @returns what came of it, for people
 * @throws AppError that says what is wrong
 */
export type TestModel = (name: string, work?: ModelWork) => Promise<string>

/**
 * Sends the model that a variable names what is really sent, with all the patience that the server has for it.
 * @returns `warning`: whether it is slower than readers or jobs can wait for
 * @throws AppError that says what is wrong
 */
export type CheckModel = (variable: ModelVariable) => Promise<{ detail: string; warning: boolean }>
