/** Groups entries with the same words: the first entry of each group, and how many it has. */
export function onceEach<Entry>(
  entries: readonly Entry[],
  wordsOf: (entry: Entry) => string | null,
): { entry: Entry; times: number }[] {
  const groups = new Map<string, { entry: Entry; times: number }>()
  for (const [index, entry] of entries.entries()) {
    const words =
      wordsOf(entry)
        ?.toLowerCase()
        .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
        .trim() ?? ''
    // Entries whose words were not kept may differ, so each stays alone.
    const key = words === '' ? String(index) : ` ${words}`
    const known = groups.get(key)
    if (known) known.times++
    else groups.set(key, { entry, times: 1 })
  }
  return [...groups.values()]
}
