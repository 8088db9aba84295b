/** Takes `*`, `_` and `~~` out of a text where they mark emphasis, and leaves them where they do not (`a_b`, `2 * 3`). */
export class Emphasis {
  readonly #out: string[]
  readonly #open = new Map<string, { index: number; count: number }[]>()

  constructor(out: string[]) {
    this.#out = out
  }

  /** Reads the run of delimiters at `at` and returns where it ends. */
  read(source: string, at: number): number {
    const character = source[at] ?? ''
    let end = at
    while (source[end] === character) end++
    let count = end - at
    const before = at === 0 ? ' ' : (source[at - 1] ?? ' ')
    const after = source[end] ?? ' '
    const word = /[\p{L}\p{N}]/u
    let opens = !/\s/.test(after)
    let closes = !/\s/.test(before)
    if (character === '_') {
      const inside = word.test(before) && word.test(after)
      opens &&= !inside
      closes &&= !inside
    }
    if (character === '~' && count !== 2) opens = closes = false
    const stack = this.#open.get(character) ?? []
    this.#open.set(character, stack)
    for (let opener = closes ? stack.at(-1) : undefined; opener && count > 0; opener = stack.at(-1)) {
      const taken = Math.min(opener.count, count)
      opener.count -= taken
      count -= taken
      this.#out[opener.index] = character.repeat(opener.count)
      if (opener.count === 0) stack.pop()
    }
    if (count > 0) {
      if (opens) stack.push({ index: this.#out.length, count })
      this.#out.push(character.repeat(count))
    }
    return end
  }
}
