/** What was asked in the form. */
export interface Asked {
  question: string
  history: { role: 'user' | 'assistant'; text: string }[]
  currentPath: string
  /** One or two; empty for the project's own. */
  models: string[]
}
