/** The results of all items, in their order, so many of them at a time. */
export async function inParallel<Item, Done>(
  items: readonly Item[],
  width: number,
  work: (item: Item, index: number) => Promise<Done>,
): Promise<Done[]> {
  const results: Done[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) {
      const item = items[at]
      if (item !== undefined) results[at] = await work(item, at)
    }
  }
  await Promise.all(Array.from({ length: width }, worker))
  return results
}
