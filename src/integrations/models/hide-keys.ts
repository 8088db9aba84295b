const keyShapes = /\b(?:sk-|sk_|AIza|Bearer )[\w.*-]{8,200}/g

/** Takes keys out of a text that others wrote: the known ones, and what looks like one. */
export function hideKeys(text: string, secrets: readonly string[]): string {
  let hidden = text
  for (const secret of secrets) if (secret.length >= 6) hidden = hidden.replaceAll(secret, '[key]')
  return hidden.replace(keyShapes, '[key]')
}
