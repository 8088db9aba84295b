import type { SearchHit } from '../ports.ts'

const most = 3
/** The share of the best score that a section must reach: what came in last is about something else. */
const leastShare = 0.5
const longest = 100

/**
 * Up to three questions that the retrieved sections answer and that were not asked: those that are written down for a
 * section, then headings and titles that are or can be put as a question. Most cannot, and then there is none.
 * @param hits of searches that found something, those that the answer cites left out
 * @param best score of all hits of the answer
 */
export function suggestQuestions(hits: SearchHit[], best: number, asked: string): string[] {
  const said = asked.toLowerCase()
  const near = hits.filter(({ score }) => score >= best * leastShare)
  const isNew = (question: string): boolean => !significant(question).every((word) => said.includes(word))
  return questionsIn(near).filter(isNew).slice(0, most)
}

/** The questions that sections answer: those that are written down for them, then their headings, then the titles of their pages. */
export function questionsIn(
  sections: Pick<SearchHit, 'title' | 'heading' | 'language' | 'questions'>[],
): string[] {
  const candidates = [
    ...sections.flatMap(({ questions = [] }) => questions.slice(0, 1)),
    ...sections.flatMap(({ heading, language }) => questionsOf(heading?.split(' – ').at(-1), language)),
    ...sections.flatMap(({ title, language }) => questionsOf(title, language)),
  ]
  return [...new Set(candidates.filter((question) => question.length <= longest))]
}

function questionsOf(heading = '', language = 'en'): string[] {
  const bare = heading.replaceAll(/[`*_[\]]/g, '').trim()
  const text = bare.replace(/^\d{1,3}[.)]\s/, '').trim()
  // Alone, nobody knows what "it" is.
  if (/[<>(){}|\\&]|\b(?:it|them|this|these|those)\b/i.test(text)) return []
  if (/[?？؟]$/.test(text)) return isQuestion(text) ? [text] : []
  if (beginnings.test(text) && /^en\b/i.test(language)) return ['How do I get started?']
  const question =
    /^en\b/i.test(language) && !/[^\p{ASCII}\p{P}\p{S}]/u.test(text) ? asQuestion(text) : undefined
  return question === undefined ? [] : [question]
}

/** Whether a heading with a question mark is a whole question: "Latest or locked versions?" is none. */
function isQuestion(text: string): boolean {
  return !/^[\p{ASCII}\p{P}\p{S}]+$/u.test(text) || asks.test(text)
}

const asks =
  /^(?:how|what|why|when|where|which|who|whose|can|could|do|does|did|is|are|was|were|should|will|would|may|must|has|have|am|qu|co|pu|d[oó]nde|por|wie|was|wo|wer|warum|kann|est|puis)/i

/** What the first pages of many sites are called. */
const beginnings = /^(?:(?:get|getting) started|quick ?-?start)(?: guide)?$/i

function asQuestion(heading: string): string | undefined {
  const words = heading.replace(/^how to\s/i, '').split(' ')
  const [first = '', second = ''] = words
  const isClause = /^when$/i.test(first) && !/^(?:do|does|is|are|should|to|not)$/i.test(second)
  if (isClause && words.length > 3) return `What happens ${['when', ...words.slice(1)].join(' ')}?`
  // "How to" always introduces an action.
  const isInstruction = /^how to\s/i.test(heading)
  const verb = isInstruction ? first.toLowerCase() : verbsByForm.get(first.toLowerCase())
  if (verb === undefined || !/^[\p{L}\p{N}@$.]/u.test(second) || /^started$/i.test(second)) return undefined
  // "Install script" leaves out what makes it a sentence; a name and more than one thing need no article.
  const isGerund = !isInstruction && first.toLowerCase() !== verb
  const isObject = joining.has(second.toLowerCase()) || /s$|[^\p{Ll}]/u.test(second)
  if (/^(?:and|or|using)$/i.test(second) || (!isInstruction && !isGerund && !isObject)) return undefined
  // "Build status" and "Testing library" are not actions, but "Build the image" is.
  if (!isInstruction && nounsToo.has(verb) && !joining.has(second.toLowerCase())) return undefined
  return `How do I ${[verb, ...words.slice(1)].join(' ').replaceAll(/\byour\b/gi, 'my')}?`
}

const verbs =
  wordsOf(`add allow apply attach authenticate avoid cancel choose combine compile configure connect convert create customize
  declare define delete detect disable embed enable extend extract fetch generate get implement improve include insert install integrate
  invite launch listen manage measure migrate modify navigate optimize organize override parse prepare prevent protect
  publish receive reduce register remove rename render resolve restore restrict retrieve reuse revoke rotate save secure send serve
  simulate specify subscribe submit transform translate troubleshoot uninstall unpublish unsubscribe upload validate verify write`)
const nounsToo = new Set(
  wordsOf(`build call change check clone copy debug deploy download edit export filter find fix format group handle host import link
    list load log map merge mock monitor move open order pass patch process query read redirect refresh release reload replace request
    reset restart return run scale schedule search select set share show sign sort split start stop store stream switch sync
    test track trigger turn update upgrade use view wait watch work wrap`),
)
const joining = new Set(
  wordsOf('a an another at between by for from in into it on out over several the to up with without your'),
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
