/** Numbers in the signature of a page. */
export const signatureLength = 64

/** A slot of a signature that no word has taken. */
export const emptySlot = 0xffff

/** FNV-1a with a final mix, so that all bits depend on all characters. */
export function hashOf(term: string): number {
  let hash = 2166136261
  for (let at = 0; at < term.length; at++) hash = Math.imul(hash ^ term.charCodeAt(at), 16777619)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return (hash ^ (hash >>> 13)) >>> 0
}

/**
 * A signature holds the least hash of a page's words in each of 64 classes (MinHash in one permutation): the share
 * of equal slots estimates the share of words that two pages have in common.
 */
export function addToSignature(signature: Uint16Array, hash: number): void {
  const slot = hash % signatureLength
  const value = hash >>> 16
  if (value < (signature[slot] ?? 0)) signature[slot] = value
}
