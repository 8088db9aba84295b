/** Entries that are asked in the same words, as the first of them and how many there are. */
export function onceEach<Entry>(
  entries: readonly Entry[],
  wordsOf: (entry: Entry) => string | null,
): { entry: Entry; times: number }[] {
  const found = new Map<string, { entry: Entry; times: number }>()
  for (const [index, entry] of entries.entries()) {
    const words =
      wordsOf(entry)
        ?.toLowerCase()
        .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
        .trim() ?? ''
    // What is not kept may be anything.
    const key = words === '' ? String(index) : ` ${words}`
    const known = found.get(key)
    if (known) known.times++
    else found.set(key, { entry, times: 1 })
  }
  return [...found.values()]
}
