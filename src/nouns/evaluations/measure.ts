/** What a change did to one file, in the lines of the file before. */
interface FileChange {
  /** Ranges of lines that were replaced, and how many lines went and came; text that was only added stands after its line. */
  places: { from: number; to: number; lines: number }[]
  added: string[]
}

/** By the path before, and of new files by their own. */
export type ChangedLines = ReadonlyMap<string, FileChange>

/** Reads a unified diff with any number of unchanged lines around. */
export function readChangedLines(diff: string): ChangedLines {
  const files = new Map<string, FileChange>()
  let file: FileChange | undefined
  let place: FileChange['places'][number] | undefined
  let old = ''
  let line = 0
  let left = { before: 0, after: 0 }
  for (const text of diff.split('\n')) {
    if (left.before > 0 || left.after > 0) {
      if (text.startsWith('-')) {
        place = grown(file, place, line, line)
        left.before--
        line++
      } else if (text.startsWith('+')) {
        place = grown(file, place, line - 1, line - 1)
        file?.added.push(text.slice(1))
        left.after--
      } else if (!text.startsWith('\\')) {
        place = undefined
        left.before--
        left.after--
        line++
      }
      continue
    }
    const head = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(text)
    if (head) {
      const [, from = '', before = '1', after = '1'] = head
      left = { before: Number(before), after: Number(after) }
      // Of nothing, git names the line before.
      line = Number(from) + (left.before === 0 ? 1 : 0)
      place = undefined
    } else if (text.startsWith('diff --git ')) {
      file = undefined
      old = ''
    } else if (text.startsWith('--- ')) old = pathIn(text)
    else if (text.startsWith('+++ ')) {
      const path = old === '' ? pathIn(text) : old
      file = files.get(path) ?? { places: [], added: [] }
      files.set(path, file)
    }
  }
  return files
}

function grown(
  file: FileChange | undefined,
  place: FileChange['places'][number] | undefined,
  from: number,
  to: number,
): FileChange['places'][number] | undefined {
  if (place) {
    place.to = Math.max(place.to, to)
    place.lines++
    return place
  }
  const begun = { from, to, lines: 1 }
  file?.places.push(begun)
  return begun
}

// Git puts a name with unusual signs in quotes, and a tab after one with a space.
function pathIn(text: string): string {
  const name = text
    .slice(4)
    .replace(/\t$/, '')
    .replace(/^"(.*)"$/, '$1')
  return name === '/dev/null' ? '' : name.replace(/^[ab]\//, '')
}

/** Lines between two changes that still mean the same place. */
const near = 2

/** From 0 to 1; each only where it can be said. */
export type Agreement = Partial<Record<'precision' | 'recall' | 'lines' | 'wording', number>>

/** How well one change of the pages agrees with that of people. */
export function agreementOf(
  people: { pages: readonly string[]; lines: ChangedLines },
  agent: { pages: readonly string[]; lines: ChangedLines },
): Agreement {
  const shared = agent.pages.filter((path) => people.pages.includes(path)).length
  const lines = agreeingLines(people, agent.lines)
  const wording = sharedWords(wordsOf(people), wordsOf(agent))
  return {
    ...(agent.pages.length > 0 && { precision: shared / agent.pages.length }),
    ...(people.pages.length > 0 && { recall: shared / people.pages.length }),
    ...(lines !== undefined && { lines }),
    ...(wording !== undefined && { wording }),
  }
}

type Side = Parameters<typeof agreementOf>[0]

function agreeingLines({ pages, lines }: Side, agent: ChangedLines): number | undefined {
  let [all, same] = [0, 0]
  for (const path of pages) {
    const others = agent.get(path)?.places ?? []
    for (const place of lines.get(path)?.places ?? []) {
      all += place.lines
      if (others.some(({ from, to }) => from <= place.to + near && to >= place.from - near))
        same += place.lines
    }
  }
  return all === 0 ? undefined : same / all
}

function wordsOf({ pages, lines }: Side): Map<string, number> {
  const counts = new Map<string, number>()
  for (const path of pages)
    for (const text of lines.get(path)?.added ?? [])
      for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}_]{3,}/gu))
        counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

// Twice what both have, of what each has: more words alone do not help.
function sharedWords(people: Map<string, number>, agent: Map<string, number>): number | undefined {
  const sum = (counts: Map<string, number>): number => [...counts.values()].reduce((a, b) => a + b, 0)
  if (people.size === 0) return undefined
  let shared = 0
  for (const [word, count] of people) shared += Math.min(count, agent.get(word) ?? 0)
  return (2 * shared) / (sum(people) + sum(agent))
}
