import { type Document, type LineCounter, parse, parseAllDocuments, parseDocument } from 'yaml'

/**
 * How a text is read, where it may be read in several ways. Without any of these, errors count, and of equal keys the
 * last one counts, as for most generators of sites.
 */
interface Reading {
  /** Reads on behind an error, and leaves out all but the first document. */
  lenient?: boolean
  /** Equal keys are an error. */
  unique?: boolean
  /** `<<` takes in the fields of another map, as it does for generators of sites. */
  merge?: boolean
}

/** Aliases may unfold a text to much more than its length. */
const maxAliasCount = 100

/** The value of a text that is not hostile (`isHostileYaml`). @throws Error whose first line says what is wrong */
export function parseYaml(text: string, reading: Reading = {}): unknown {
  return parse(text, { ...optionsOf(reading), maxAliasCount })
}

/** A text with the offsets of its nodes; errors are in it. @param isLoose errors without doubt about what is meant are none */
export function parseYamlDocument(text: string, reading: Reading = {}, isLoose = false): Document.Parsed {
  return parseDocument(text, { ...optionsOf(reading), strict: !isLoose })
}

/** All documents of a text, whose errors are one line each. */
export function parseYamlDocuments(text: string, lineCounter: LineCounter): readonly Document.Parsed[] {
  const documents = parseAllDocuments(text, {
    ...optionsOf({ unique: true }),
    prettyErrors: false,
    lineCounter,
  })
  return Array.isArray(documents) ? documents : []
}

/** @throws Error where aliases unfold to too much, or lead nowhere */
export function valueOfYaml(document: Document.Parsed): unknown {
  return document.toJS({ maxAliasCount })
}

function optionsOf({ lenient = false, unique = false, merge = false }: Reading) {
  return {
    logLevel: lenient ? ('silent' as const) : ('error' as const),
    uniqueKeys: unique,
    ...(merge && { merge }),
  }
}
