import type { SearchHit } from './ports.ts'

const most = 3
/** The share of the best score that a section must reach: what came in last is about something else. */
const leastShare = 0.5

/**
 * Up to three questions that the retrieved sections answer and that were not asked: those that are written down for a
 * section, and headings that are or can be put as a question. Most headings cannot, and then there is none.
 * @param hits of searches that found something, those that the answer cites left out
 * @param best score of all hits of the answer
 */
export function suggestQuestions(hits: SearchHit[], best: number, asked: string): string[] {
  const said = asked.toLowerCase()
  const near = hits.filter(({ score }) => score >= best * leastShare)
  const written = near.flatMap(({ questions = [] }) => questions.slice(0, 1))
  const headings = near.flatMap((hit) => [...headingsOf(hit)])
  const questions = new Set<string>()
  for (const question of [...written, ...headings]) {
    if (question.length > longest || significant(question).every((word) => said.includes(word))) continue
    questions.add(question)
    if (questions.size === most) break
  }
  return [...questions]
}

const longest = 100

function* headingsOf({ heading, title, language }: SearchHit): Generator<string> {
  // Among nested headings, the innermost one tells most.
  const name = heading?.split(' – ').at(-1) ?? title
  const text = name.replaceAll(/[`*_[\]]/g, '').trim()
  if (/[<>{}|\\&]/.test(text)) return
  if (/[?？؟]$/.test(text)) yield text
  else if (/^en\b/i.test(language ?? 'en') && !/[^\p{ASCII}\p{P}\p{S}]/u.test(text)) yield* asQuestion(text)
}

function* asQuestion(heading: string): Generator<string> {
  const words = heading.replace(/^how to\s/i, '').split(' ')
  const [first = '', second = ''] = words
  const isClause = /^when$/i.test(first) && !/^(?:do|does|is|are|should|to|not)$/i.test(second)
  if (isClause && words.length > 3) yield `What happens ${['when', ...words.slice(1)].join(' ')}?`
  const verb = verbsByForm.get(first.toLowerCase())
  if (verb === undefined || second === '') return
  // "Build status" and "Testing library" are no actions; "Build the image" is.
  if (nounsToo.has(verb) && !/^how to\s/i.test(heading) && !joining.has(second.toLowerCase())) return
  yield `How do I ${[verb, ...words.slice(1)].join(' ').replaceAll(/\byour\b/gi, 'my')}?`
}

const verbs =
  wordsOf(`add allow authenticate avoid choose configure connect convert create customize define delete disable
  enable get install integrate manage migrate publish remove rename secure serve troubleshoot verify write`)
const nounsToo = new Set(
  wordsOf(`build call change check debug deploy export find fix handle host import move open read release replace run send
    set show start stop test track update upgrade use`),
)
const joining = new Set(
  wordsOf(
    'a an another at between by for from in into it on only out over several the to up with without your',
  ),
)

const verbsByForm = new Map(
  [...verbs, ...nounsToo].flatMap((verb) => [verb, ...gerundsOf(verb)].map((form) => [form, verb] as const)),
)

function gerundsOf(verb: string): string[] {
  return [`${verb.replace(/e$/, '')}ing`, `${verb}${verb.at(-1) ?? ''}ing`]
}

function wordsOf(list: string): string[] {
  return list.split(/\s+/)
}

function significant(text: string): string[] {
  const words = text.toLowerCase().split(/[\s,.:;()/?]+/)
  const long = words.filter((word) => (word.length > 2 && !asking.has(word)) || /[^\p{ASCII}]/u.test(word))
  return long.length > 0 ? long : words
}

const asking = new Set(wordsOf('how the what why when where which who can does happens are you'))
