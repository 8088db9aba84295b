import { isUnspaced, questionTerms } from '../../../lib/prompts/question-terms.ts'
import { joinSpellings } from './join-spellings.ts'

/** Which topic each question is about, and what the topics are called. */
export interface Grouping {
  /** By question: a number of `known`, a higher one for a new topic, or -1 where no word says what it is about. */
  topics: number[]
  /** By topic, of each that got a question. */
  names: Map<number, string>
}

/** How near a question must be to the middle of a topic, as a cosine. */
const near = 0.36
/** How near two new topics of several questions must be to become one. */
const nearTopics = 0.45
/** Joining topics again and again finds little more. */
const mostRounds = 3
const longestName = 80
const mostWords = 3
/** Texts of a topic that its name is made from. */
const mostNamed = 200
/** What distinguishes a word that only one text has, compared with one that connects texts. */
const aloneWeight = 0.6
const subjectWeight = 0.2
/** Texts about something else that are thought to exist, so that a word counts that all of the first few texts hold. */
const others = 50

/**
 * Groups questions by the words that they share, without regard to the order in which words stand. The same input gives
 * the same topics, and known topics stay: questions join them, and they are never joined with each other.
 * @param known texts of each topic that exists; some of them are enough
 * @param subject what the documentation as a whole is about, such as a product's name: sharing that tells little
 */
export function groupTexts(
  known: readonly (readonly string[])[],
  questions: readonly string[],
  subject: string,
): Grouping {
  const all = joinSpellings([...known.flat(), ...questions].map(questionTerms))
  const terms = all.splice(all.length - questions.length)
  const knownTerms = known.map((texts) => all.splice(0, texts.length))
  const weigh = createWeights([...knownTerms.flat(), ...terms], new Set(questionTerms(subject).keys()))
  const topics = createTopics()
  for (const texts of knownTerms) {
    const topic = topics.add()
    for (const one of texts) topics.join(topic, weigh(one))
  }
  const of = terms.map((one) => {
    const vector = weigh(one)
    if (vector.size === 0) return -1
    const topic = topics.nearest(vector, near) ?? topics.add()
    topics.join(topic, vector)
    return topic
  })
  const joined = joinNew(topics, known.length)
  // Numbers without gaps, in the order in which the topics were first asked about.
  const numbers = new Map<number, number>()
  const result = of.map((topic) => {
    if (topic === -1) return -1
    const kept = joined(topic)
    if (kept < known.length) return kept
    const number = numbers.get(kept) ?? known.length + numbers.size
    numbers.set(kept, number)
    return number
  })
  const members = Map.groupBy(questions.keys(), (index) => result[index] ?? -1)
  members.delete(-1)
  const names = new Map<number, string>()
  for (const [topic, indexes] of members)
    names.set(
      topic,
      nameOf(
        [...(known[topic] ?? []), ...indexes.map((index) => questions[index] ?? '')].slice(0, mostNamed),
        weigh,
      ),
    )
  return { topics: result, names }
}

/** Terms with their weights; of length 1. */
type Vector = ReadonlyMap<string, number>
type Weigh = (terms: ReadonlyMap<string, number>) => Vector

function createWeights(all: readonly ReadonlyMap<string, number>[], subject: ReadonlySet<string>): Weigh {
  const counts = new Map<string, number>()
  for (const terms of all) for (const term of terms.keys()) counts.set(term, (counts.get(term) ?? 0) + 1)
  const rarity = (term: string): number => {
    const count = counts.get(term) ?? 1
    const rare = Math.log(1 + (all.length + others) / count)
    return rare * (count === 1 ? aloneWeight : 1) * (subject.has(term) ? subjectWeight : 1)
  }
  return (terms) => {
    const weighed = [...terms].map(([term, weight]) => [term, weight * rarity(term)] as const)
    const length = Math.hypot(...weighed.map(([, weight]) => weight))
    return new Map(length === 0 ? [] : weighed.map(([term, weight]) => [term, weight / length]))
  }
}

interface Topics {
  /** @returns the number of a new topic */
  add(): number
  join(topic: number, vector: Vector): void
  /** Moves everything of one topic into another one. */
  merge(from: number, into: number): void
  /** The topic whose middle is nearest, the oldest of equal ones. */
  nearest(vector: Vector, least: number, except?: number): number | undefined
  middle(topic: number): Vector
  count(): number
  /** Questions of a topic. */
  size(topic: number): number
}

function createTopics(): Topics {
  const sums: Map<string, number>[] = []
  const lengths: number[] = []
  const sizes: number[] = []
  /** The topics that a term occurs in. */
  const withTerm = new Map<string, Set<number>>()
  const add = (topic: number, vector: Vector): void => {
    const sum = sums[topic] ?? new Map<string, number>()
    let squares = (lengths[topic] ?? 0) ** 2
    for (const [term, weight] of vector) {
      const before = sum.get(term) ?? 0
      sum.set(term, before + weight)
      squares += 2 * before * weight + weight * weight
      const topics = withTerm.get(term)
      if (topics) topics.add(topic)
      else withTerm.set(term, new Set([topic]))
    }
    lengths[topic] = Math.sqrt(squares)
  }
  return {
    add: () => {
      lengths.push(0)
      return sums.push(new Map()) - 1
    },
    join(topic, vector) {
      sizes[topic] = (sizes[topic] ?? 0) + 1
      add(topic, vector)
    },
    size: (topic) => sizes[topic] ?? 0,
    merge(from, into) {
      const moved = sums[from] ?? new Map<string, number>()
      for (const term of moved.keys()) withTerm.get(term)?.delete(from)
      sums[from] = new Map()
      lengths[from] = 0
      sizes[into] = (sizes[into] ?? 0) + (sizes[from] ?? 0)
      add(into, moved)
    },
    nearest(vector, least, except) {
      const products = new Map<number, number>()
      for (const [term, weight] of vector)
        for (const topic of withTerm.get(term) ?? [])
          products.set(topic, (products.get(topic) ?? 0) + weight * (sums[topic]?.get(term) ?? 0))
      let best: number | undefined
      let highest = least
      for (const [topic, product] of products) {
        const cosine = product / (lengths[topic] ?? 1)
        if (topic === except || cosine < highest) continue
        if (cosine === highest && best !== undefined && topic > best) continue
        best = topic
        highest = cosine
      }
      return best
    },
    middle(topic) {
      const length = lengths[topic] ?? 0
      return new Map(length === 0 ? [] : [...(sums[topic] ?? [])].map(([term, sum]) => [term, sum / length]))
    },
    count: () => sums.length,
  }
}

/**
 * Joins new topics with topics that they are near to, because the first questions about something may share no word.
 * @returns the topic that a topic became
 */
function joinNew(topics: Topics, known: number): (topic: number) => number {
  const became = new Map<number, number>()
  for (let round = 0; round < mostRounds; round++) {
    let changed = false
    for (let topic = topics.count() - 1; topic >= known; topic--) {
      if (became.has(topic)) continue
      const into = topics.nearest(topics.middle(topic), topics.size(topic) === 1 ? near : nearTopics, topic)
      if (into === undefined) continue
      const [from, to] = into < topic ? [topic, into] : [into, topic]
      topics.merge(from, to)
      became.set(from, to)
      changed = true
    }
    if (!changed) break
  }
  return (topic) => {
    let at = topic
    for (let next = became.get(at); next !== undefined; next = became.get(at)) at = next
    return at
  }
}

/** One question as it is; of several the words that most of them share. */
function nameOf(texts: readonly string[], weigh: Weigh): string {
  const [first = ''] = texts
  const lines = texts.map((text) => text.replaceAll(/\s+/g, ' ').trim())
  const vectors = lines.map((line) => weigh(questionTerms(line)))
  const shared = new Map<string, number>()
  for (const vector of vectors)
    for (const [term, weight] of vector) shared.set(term, (shared.get(term) ?? 0) + weight)
  if (texts.length === 1 || isUnspaced(first)) {
    const central = (index: number): number =>
      [...(vectors[index] ?? [])].reduce((sum, [term, weight]) => sum + weight * (shared.get(term) ?? 0), 0)
    const best = [...lines.keys()].reduce((a, b) => (central(b) > central(a) ? b : a), 0)
    return shorten(lines[best] ?? '')
  }
  const spoken = new Map<string, Map<string, number>>()
  for (const line of lines)
    for (const word of new Set(line.split(/[\s?!,;:()"“”]+/).map(withoutDots)))
      for (const term of questionTerms(word).keys()) {
        const forms = spoken.get(term) ?? new Map<string, number>()
        spoken.set(term, forms.set(word, (forms.get(word) ?? 0) + 1))
      }
  const words = [...shared]
    .filter(([term]) => vectors.filter((vector) => vector.has(term)).length > 1)
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .flatMap(([term]) => mostFrequent(spoken.get(term)) ?? [])
  const chosen = [...new Set(words)].slice(0, mostWords)
  return shorten(chosen.length === 0 ? (lines[0] ?? '') : chosen.join(', '))
}

function withoutDots(word: string): string {
  return word.endsWith('.') ? word.slice(0, -1) : word
}

function mostFrequent(forms: ReadonlyMap<string, number> | undefined): string | undefined {
  const sorted = [...(forms ?? [])].sort(([a, x], [b, y]) => y - x || a.length - b.length || (a < b ? -1 : 1))
  return sorted[0]?.[0]
}

function shorten(name: string): string {
  return name.length > longestName ? `${name.slice(0, longestName - 1).toWellFormed()}…` : name
}
