import { growingBytes, growingHalves, growingWords } from './growing.ts'
import type { Passage } from './passages.ts'
import type { Segment, SegmentSizes } from './segment.ts'
import { addToSignature, emptySlot, hashOf, signatureLength } from './signature.ts'
import { utf8 } from './segment-strings.ts'
import { scanWords, termsOf } from './words.ts'

/** Lengths in words, by which the ranking normalises, and the signature of the page's words. */
interface PageLengths {
  title: number
  path: number
  headings: number
  body: number
  sections: number[]
  signature: Uint16Array
}

/** Collects the occurrences of terms page by page, and writes them sorted by term. */
export interface Postings {
  addPage: (title: string, path: string, passages: Passage[]) => PageLengths
  sizes: () => Pick<SegmentSizes, 'terms' | 'termBytes' | 'postings' | 'sectionPostings'>
  writeTo: (segment: Segment) => void
}

/** The most words whose terms are cached: text repeats words, generated identifiers do not recur. */
const mostRemembered = 100_000

export function createPostings(): Postings {
  const numbers = new Map<string, number>()
  const hashes = growingWords()
  const remembered = new Map<string, number[]>()
  const page = createPagePostings()
  // The postings of all pages in order, each with its range of sections.
  const pageEnds = growingWords()
  const terms = growingWords()
  const fields = growingHalves()
  const runs = growingHalves()
  const slots = growingHalves()
  const counts = growingBytes()

  function numberOf(term: string): number {
    const known = numbers.get(term)
    if (known !== undefined) return known
    numbers.set(term, numbers.size)
    hashes.push(hashOf(term))
    return numbers.size - 1
  }

  function termNumbers(word: string): number[] {
    const known = remembered.get(word)
    if (known !== undefined) return known
    const { exact, stems } = termsOf(word)
    const numbersOfWord = [...exact, ...stems].map(numberOf)
    if (remembered.size < mostRemembered) remembered.set(word, numbersOfWord)
    return numbersOfWord
  }

  /** Passes each term to `count` and returns the length in words. */
  function countWords(text: string, count: (term: number) => void): number {
    let length = 0
    scanWords(text, (word) => {
      length += 1
      for (const term of termNumbers(word)) count(term)
    })
    return length
  }

  return {
    addPage(title, path, passages) {
      const lengths: PageLengths = {
        title: countWords(title, page.inTitle),
        path: countWords(pathWords(path), page.inPath),
        headings: 0,
        body: 0,
        sections: [],
        signature: new Uint16Array(signatureLength).fill(emptySlot),
      }
      passages.forEach((passage, section) => {
        page.startSection(section)
        for (const heading of passage.headings) countWords(heading, page.inSectionHeading)
        const own = passage.headings.at(-1)
        if (passage.opens && own !== undefined) lengths.headings += countWords(own, page.inHeading)
        const length = countWords(passage.text, page.inBody)
        lengths.sections.push(length)
        lengths.body += length
      })
      page.flush((term, field, sections) => {
        terms.push(term)
        fields.push(field)
        if (sections !== -1) addToSignature(lengths.signature, hashes.at(term))
        let run = 0
        for (let entry = sections; entry !== -1; entry = page.nextOf(entry)) {
          slots.push(page.slotOf(entry))
          counts.push(page.countOf(entry))
          run += 1
        }
        runs.push(run)
      })
      pageEnds.push(terms.length)
      return lengths
    },

    sizes() {
      let termBytes = 0
      for (const term of numbers.keys()) termBytes += Buffer.byteLength(term)
      return { terms: numbers.size, termBytes, postings: terms.length, sectionPostings: slots.length }
    },

    writeTo(segment) {
      const ranks = writeTerms(segment, numbers)
      const perTerm = new Uint32Array(numbers.size + 1)
      const sectionsPerTerm = new Uint32Array(numbers.size + 1)
      for (let i = 0; i < terms.length; i++) {
        const rank = ranks[terms.at(i)] ?? 0
        perTerm[rank + 1] = (perTerm[rank + 1] ?? 0) + 1
        sectionsPerTerm[rank + 1] = (sectionsPerTerm[rank + 1] ?? 0) + runs.at(i)
      }
      for (let rank = 1; rank < perTerm.length; rank++) {
        perTerm[rank] = (perTerm[rank] ?? 0) + (perTerm[rank - 1] ?? 0)
        sectionsPerTerm[rank] = (sectionsPerTerm[rank] ?? 0) + (sectionsPerTerm[rank - 1] ?? 0)
      }
      segment.postingStarts.set(perTerm)
      let read = 0
      let posting = 0
      for (let number = 0; number < pageEnds.length; number++) {
        for (; posting < pageEnds.at(number); posting++) {
          const rank = ranks[terms.at(posting)] ?? 0
          const at = perTerm[rank] ?? 0
          perTerm[rank] = at + 1
          let write = sectionsPerTerm[rank] ?? 0
          segment.postingPages[at] = number
          segment.postingFields[at] = fields.at(posting)
          segment.postingSections[at] = write
          for (let end = read + runs.at(posting); read < end; read++) {
            segment.sectionSlots[write] = slots.at(read)
            segment.sectionCounts[write] = counts.at(read)
            write += 1
          }
          sectionsPerTerm[rank] = write
        }
      }
      segment.postingSections[terms.length] = slots.length
    },
  }
}

/** The words of a path are those of its folders and file, without the extension. */
function pathWords(path: string): string {
  return path.replace(/\.[a-z]{2,5}$/i, '').replaceAll('/', ' ')
}

/** Writes the terms in the order of their bytes, and returns the position of each term by its number. */
function writeTerms(segment: Segment, numbers: Map<string, number>): Uint32Array {
  const sorted = [...numbers.keys()].sort()
  // UTF-16 order equals byte order except for characters beyond the basic plane.
  if (sorted.some((term) => /[\ud800-\udfff]/.test(term)))
    sorted.sort((a, b) => Buffer.compare(utf8(a), utf8(b)))
  const ranks = new Uint32Array(numbers.size)
  const encoder = new TextEncoder()
  let at = 0
  sorted.forEach((term, rank) => {
    ranks[numbers.get(term) ?? 0] = rank
    segment.termStarts[rank] = at
    at += encoder.encodeInto(term, segment.termBytes.subarray(at)).written
  })
  segment.termStarts[sorted.length] = at
  return ranks
}

const mostTitle = 7
const mostPath = 7
const mostHeadings = 1023
const mostBody = 63
const mostSectionHeadings = 3

/** Packs how often a term occurs in the fields of a page. */
function packFields(title: number, path: number, headings: number): number {
  return (
    Math.min(title, mostTitle) | (Math.min(path, mostPath) << 3) | (Math.min(headings, mostHeadings) << 6)
  )
}

/**
 * Counts the terms of one page. Terms are numbered over all pages, so a table maps a term to its position in this
 * page's lists. A stamp marks which entries belong to this page, so that the table need not be cleared.
 */
function createPagePostings() {
  let stamps = new Uint32Array(1 << 16)
  let places = new Uint32Array(1 << 16)
  let stamp = 1
  let section = 0
  // Indexed by position.
  const terms: number[] = []
  const titles: number[] = []
  const paths: number[] = []
  const headings: number[] = []
  const firsts: number[] = []
  const lasts: number[] = []
  // Linked lists of entries, each for a term in a section.
  const slots: number[] = []
  const bodies: number[] = []
  const sectionHeadings: number[] = []
  const next: number[] = []

  function placeOf(term: number): number {
    if (term >= stamps.length) {
      stamps = grown(stamps, term)
      places = grown(places, term)
    }
    if (stamps[term] === stamp) return places[term] ?? 0
    const place = terms.length
    stamps[term] = stamp
    places[term] = place
    terms.push(term)
    titles.push(0)
    paths.push(0)
    headings.push(0)
    firsts.push(-1)
    lasts.push(-1)
    return place
  }

  function entryOf(term: number): number {
    const place = placeOf(term)
    const last = lasts[place] ?? -1
    if (last !== -1 && slots[last] === section) return last
    const entry = slots.length
    slots.push(section)
    bodies.push(0)
    sectionHeadings.push(0)
    next.push(-1)
    if (last === -1) firsts[place] = entry
    else next[last] = entry
    lasts[place] = entry
    return entry
  }

  return {
    startSection(number: number): void {
      section = number
    },
    inTitle(term: number): void {
      add(titles, placeOf(term))
    },
    inPath(term: number): void {
      add(paths, placeOf(term))
    },
    inHeading(term: number): void {
      add(headings, placeOf(term))
    },
    inSectionHeading(term: number): void {
      add(sectionHeadings, entryOf(term))
    },
    inBody(term: number): void {
      add(bodies, entryOf(term))
    },
    nextOf: (entry: number): number => next[entry] ?? -1,
    slotOf: (entry: number): number => slots[entry] ?? 0,
    countOf: (entry: number): number =>
      Math.min(bodies[entry] ?? 0, mostBody) |
      (Math.min(sectionHeadings[entry] ?? 0, mostSectionHeadings) << 6),
    /**
     * Passes every term with its packed fields and first section entry (-1 for none) to `take`, then starts a new
     * page.
     */
    flush(take: (term: number, fields: number, entry: number) => void): void {
      terms.forEach((term, place) => {
        take(
          term,
          packFields(titles[place] ?? 0, paths[place] ?? 0, headings[place] ?? 0),
          firsts[place] ?? -1,
        )
      })
      for (const list of [
        terms,
        titles,
        paths,
        headings,
        firsts,
        lasts,
        slots,
        bodies,
        sectionHeadings,
        next,
      ]) {
        list.length = 0
      }
      stamp += 1
    },
  }
}

function add(counts: number[], at: number): void {
  counts[at] = (counts[at] ?? 0) + 1
}

function grown(array: Uint32Array<ArrayBuffer>, atLeast: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(array.length * 2, atLeast + 1))
  larger.set(array)
  return larger
}
