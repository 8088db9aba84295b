/** The variables that name the server's models. */
export const modelVariables = [
  'DOCWRIGHT_MODEL',
  'DOCWRIGHT_ASSISTANT_MODEL',
  'DOCWRIGHT_FALLBACK_MODEL',
] as const

export type ModelVariable = (typeof modelVariables)[number]
