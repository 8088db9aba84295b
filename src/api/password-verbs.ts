import type { Verb } from '../features/projects/rights.ts'

/** Clients such as git can send a key only as a password, so these verbs accept it there. */
const verbs: ReadonlySet<Verb> = new Set([
  'listReferences',
  'fetchObjects',
  'readDocs',
  'readLlmsTxt',
  'readLlmsFullTxt',
])

export function takesPassword(verb: Verb): boolean {
  return verbs.has(verb)
}
