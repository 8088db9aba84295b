/** Tokens that so many bytes of text are, at least for the tokenizers of today: rather too many than too few. */
export function tokensOf(bytes: number): number {
  return Math.ceil(bytes / 3)
}
