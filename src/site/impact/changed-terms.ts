import { structuredPatch } from 'diff'
import type { Terms } from './terms.ts'
import { tokensIn } from './terms.ts'

/** What a change did to a name: `value` where only what stands beside it changed, `near` where it stands beside changed lines. */
export type Fate = 'removed' | 'renamed' | 'new' | 'value' | 'changed' | 'near'

export interface CodePlace {
  path: string
  line: number
}

export interface ChangedTerm {
  /** As the code spells it first. */
  name: string
  /** Its number among `Terms`. */
  term: number
  fate: Fate
  /** `name`: of several words, an option, or quoted, defined or set. `part`: one of the words of others. */
  kind: 'name' | 'word' | 'part'
  before?: CodePlace
  after?: CodePlace
  /** What it is called now, where it was renamed. */
  became?: string
}

/** A file on both sides of a change; undefined where it does not exist. */
export interface ChangedText {
  path: string
  before: string | undefined
  after: string | undefined
}

const mostLines = 20_000
const mostLinesOfOne = 5000
const mostTerms = 6000
const around = 3
const diffTimeout = 500

interface Entry {
  name: string
  term: number
  isName: boolean
  isOld: boolean
  isNew: boolean
  isValue: boolean
  before?: CodePlace
  after?: CodePlace
  became?: string | undefined
}

/** The names and words in changed lines and in those around them, the same in all spellings. Lines beyond a limit are left out. */
export function changedTerms(files: readonly ChangedText[], terms: Terms): ChangedTerm[] {
  const entries = new Map<number, Entry>()
  let left = mostLines
  const note = (line: string, side: 'old' | 'new' | 'near', place: CodePlace): void => {
    const marked = side === 'near' ? undefined : markedIn(line)
    for (const { name } of tokensIn(line)) {
      const { name: term, words } = terms.of(name)
      if (term < 0) continue
      for (const id of [term, ...words]) {
        let entry = entries.get(id)
        if (entry === undefined) {
          if (entries.size >= mostTerms) continue
          const text = id === term ? name : ''
          entry = { name: text, term: id, isName: false, isOld: false, isNew: false, isValue: false }
          entries.set(id, entry)
        }
        if (id === term && (words.length > 1 || name.startsWith('--') || marked?.has(name) === true))
          entry.isName = true
        if (side === 'old') {
          entry.isOld = true
          entry.before ??= place
        } else if (side === 'new') {
          entry.isNew = true
          entry.after ??= place
        }
      }
    }
  }
  for (const { path, before, after } of files) {
    if (left <= 0) break
    for (const hunk of hunksOf(before ?? '', after ?? '')) {
      if (left <= 0) break
      left -= hunk.removed.length + hunk.added.length
      for (const { line, text } of hunk.near) note(text, 'near', { path, line })
      for (const { line, text } of hunk.removed) note(text, 'old', { path, line })
      for (const { line, text } of hunk.added) note(text, 'new', { path, line })
      noteReplacements(hunk, entries, terms)
    }
  }
  const replacement = (became: string) => {
    const after = entries.get(terms.of(became).name)?.after
    return { became, ...(after && { after }) }
  }
  return [...entries.values()].map(({ isOld, isNew, isValue, isName, became, ...entry }) => ({
    ...entry,
    kind: entry.name === '' ? 'part' : isName ? 'name' : 'word',
    ...(became !== undefined && isOld && !isNew && replacement(became)),
    fate: fateOf({ isOld, isNew, isValue, became }),
  }))
}

function fateOf({
  isOld,
  isNew,
  isValue,
  became,
}: Pick<Entry, 'isOld' | 'isNew' | 'isValue' | 'became'>): Fate {
  if (isOld && isNew) return isValue ? 'value' : 'changed'
  if (isOld) return became === undefined ? 'removed' : 'renamed'
  return isNew ? 'new' : 'near'
}

interface Line {
  line: number
  text: string
}

interface Hunk {
  removed: Line[]
  added: Line[]
  near: Line[]
}

function hunksOf(before: string, after: string): Hunk[] {
  const patch = structuredPatch('', '', before, after, '', '', { context: around, timeout: diffTimeout })
  if (patch === undefined) {
    // Too different to be compared line by line: all of it changed.
    const all = (text: string): Line[] =>
      text.split('\n', mostLinesOfOne).map((line, index) => ({ line: index + 1, text: line }))
    return [{ removed: all(before), added: all(after), near: [] }]
  }
  let left = mostLinesOfOne
  const hunks: Hunk[] = []
  for (const { oldStart, newStart, lines } of patch.hunks) {
    let [old, now] = [oldStart, newStart]
    let hunk: Hunk = { removed: [], added: [], near: [] }
    hunks.push(hunk)
    let isChanging = false
    for (const whole of lines) {
      if (left-- <= 0) return hunks
      const text = whole.slice(1)
      if (whole.startsWith('-')) hunk.removed.push({ line: old++, text })
      else if (whole.startsWith('+')) hunk.added.push({ line: now++, text })
      else if (whole.startsWith(' ')) {
        // Lines that belong together are compared with each other, and not with those of the next place.
        if (isChanging) hunks.push((hunk = { removed: [], added: [], near: [] }))
        hunk.near.push({ line: now, text })
        old++
        now++
      }
      isChanging = !whole.startsWith(' ')
    }
  }
  return hunks
}

/** Lines that differ in one name alone rename it, and those whose names are the same change a value. */
function noteReplacements({ removed, added }: Hunk, entries: Map<number, Entry>, terms: Terms): void {
  if (removed.length !== added.length || removed.length > 200) return
  for (const [index, { text }] of removed.entries()) {
    const [old, now] = [tokensIn(text), tokensIn(added[index]?.text ?? '')]
    if (old.length !== now.length || old.length > 60) continue
    const different = old.flatMap(({ name }, at) =>
      name === now[at]?.name ? [] : [{ name, became: now[at]?.name }],
    )
    const [one, ...others] = different
    if (one === undefined) {
      for (const { name } of old) {
        const entry = entries.get(terms.of(name).name)
        if (entry !== undefined) entry.isValue = true
      }
    } else if (others.every(({ name, became }) => name === one.name && became === one.became)) {
      const entry = entries.get(terms.of(one.name).name)
      if (entry !== undefined && one.became !== undefined) entry.became ??= one.became
    }
  }
}

/** Words that are quoted, defined or set. */
const marked =
  /["'`]([A-Za-z_][\w-]{2,60})["'`]|\b(?:def|func|function|fn|class|interface|struct|enum|trait|type|module)\s+(\w{3,60})|^\s{0,40}["']?([A-Za-z_][\w-]{2,60})["']?\??\s{0,5}[:=](?!=)/g

function markedIn(line: string): Set<string> {
  return new Set(
    Array.from(
      line.slice(0, 2000).matchAll(marked),
      ([, ...groups]) => groups.find((one) => one !== undefined) ?? '',
    ),
  )
}
