import { stemmer } from 'stemmer'
import { embeddedText, sectionTexts } from '../src/features/docs/enrich/section-texts.ts'
import type { Page } from '../src/site/pages/page.ts'
import type { Question } from './retrieval-corpus.ts'

export const kindsOfVectors = ['noise', 'stems', 'letters', 'paraphrases', 'answers'] as const
export type KindOfVectors = (typeof kindsOfVectors)[number]

const dimensions = 1024

/**
 * Vectors of a known quality for a corpus: `noise` says nothing, `stems` is a bag of word stems, `letters` weighs rare stems
 * and knows parts of words. `paraphrases` are stems, and `answers` letters, but with something of the section that answers
 * in the vector of a paraphrase, or of every question.
 */
export function scriptedVectors(
  kind: KindOfVectors,
  pages: readonly Page[],
  questions: readonly Question[],
): (text: string) => number[] {
  const sections = pages.flatMap((page) =>
    sectionTexts(page).flatMap((one) =>
      one === undefined ? [] : [{ id: page.url.slice(1), text: embeddedText(one) }],
    ),
  )
  const holders = new Map<string, number>()
  for (const { text } of sections)
    for (const feature of new Set([...stemsOf(text), ...lettersOf(text)]))
      holders.set(feature, (holders.get(feature) ?? 0) + 1)
  const rarity = (feature: string): number =>
    Math.log(1 + sections.length / ((holders.get(feature) ?? 0) + 0.5))
  const ofStems = (text: string): number[] => vectorOf(countOf(stemsOf(text)), () => 1)
  const ofLetters = (text: string): number[] =>
    vectorOf(
      countOf([...stemsOf(text), ...lettersOf(text)]),
      (one) => rarity(one) * (one.startsWith('#') ? 0.25 : 1),
    )
  if (kind === 'noise') return (text) => vectorOf(new Map([[text, 1]]), () => 1, 300)
  if (kind === 'stems') return ofStems
  if (kind === 'letters') return ofLetters
  const plain = kind === 'answers' ? ofLetters : ofStems
  const share = kind === 'answers' ? 0.12 : 0.5
  const asked = new Map(questions.map((question) => [question.query, question]))
  return (text) => {
    const question = asked.get(text)
    const own = plain(text)
    if (question === undefined || (kind === 'paraphrases' && question.kind !== 'para')) return own
    const wanted = new Set(stemsOf(text))
    const overlap = (of: string): number =>
      [...new Set(stemsOf(of))].filter((stem) => wanted.has(stem)).length
    const [answer] = sections
      .filter(({ id }) => question.relevant.includes(id))
      .toSorted((a, b) => overlap(b.text) - overlap(a.text))
    if (answer === undefined) return own
    const also = plain(answer.text)
    return own.map((value, at) => value + share * (also[at] ?? 0))
  }
}

/** A vector of length 1: each feature is hashed to some numbers. */
function vectorOf(counts: Map<string, number>, weightOf: (feature: string) => number, turns = 6): number[] {
  const vector = Array<number>(dimensions).fill(0)
  for (const [feature, count] of counts) {
    const weight = Math.log1p(count) * weightOf(feature)
    let hash = 2166136261
    for (let turn = 0; turn < turns; turn++) {
      for (let at = 0; at < feature.length; at++) hash = Math.imul(hash ^ feature.charCodeAt(at), 16777619)
      hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0
      const place = hash % dimensions
      vector[place] = (vector[place] ?? 0) + (hash & 0x10000 ? weight : -weight)
    }
  }
  const length = Math.hypot(...vector) || 1
  return vector.map((value) => value / length)
}

function countOf(features: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const feature of features) counts.set(feature, (counts.get(feature) ?? 0) + 1)
  return counts
}

function wordsOf(text: string): string[] {
  return Array.from(text.toLowerCase().matchAll(/[\p{L}\p{N}]{2,}/gu), ([word]) => word)
}

function stemsOf(text: string): string[] {
  return wordsOf(text)
    .map((word) => stemmer(word))
    .filter((stem) => !common.has(stem))
}

function lettersOf(text: string): string[] {
  return wordsOf(text).flatMap((word) => {
    const whole = `^${word}$`
    return Array.from({ length: Math.max(0, whole.length - 3) }, (_, at) => `#${whole.slice(at, at + 4)}`)
  })
}

const common = new Set(
  'the a an of to in is it and or for on with how do i my be can you that this are what if from as by at when not'.split(
    ' ',
  ),
)
