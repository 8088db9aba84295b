const mostTitle = 7
const mostPath = 7
const mostHeadings = 1023
const mostBody = 63
const mostSectionHeadings = 3

/** How often a term stands in the fields of a page, as a segment packs it. */
function packFields(title: number, path: number, headings: number): number {
  return (
    Math.min(title, mostTitle) | (Math.min(path, mostPath) << 3) | (Math.min(headings, mostHeadings) << 6)
  )
}

/**
 * Counts the terms of one page. Terms are dense numbers over all pages: a table from term to the place in this
 * page's lists, valid by a stamp, makes counting an array access.
 */
export function createPagePostings() {
  let stamps = new Uint32Array(1 << 16)
  let places = new Uint32Array(1 << 16)
  let stamp = 1
  let section = 0
  // Per place.
  const terms: number[] = []
  const titles: number[] = []
  const paths: number[] = []
  const headings: number[] = []
  const firsts: number[] = []
  const lasts: number[] = []
  // Chained entries: a term in a section.
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
    /** Hands over every term with its packed fields and first section entry (-1 for none), then starts a new page. */
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
