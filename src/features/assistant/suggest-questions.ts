import type { SearchHit } from './ports.ts'

const most = 3
const verbs = new Set(
  `add allow authenticate avoid build call change check choose configure connect convert create customize debug define delete
  deploy disable enable export find fix get handle host import install integrate manage migrate move open publish read
  remove rename replace run secure send serve set show start stop test track troubleshoot update upgrade use verify write`.split(
    /\s+/,
  ),
)
const commonplace =
  /^(?:overview|introduction|next steps?|see also|notes?|examples?|summary|related.*|conclusion|step \d.*)$/i

/**
 * Up to three questions that the retrieved pages answer and that were not asked, from their headings.
 * @param hits those that the answer did not cite
 */
export function suggestQuestions(hits: SearchHit[], asked: string): string[] {
  const said = asked.toLowerCase()
  const questions = new Set<string>()
  const names = hits.flatMap((hit) => (hit.heading ? [{ hit, name: hit.heading }] : []))
  names.push(...hits.map((hit) => ({ hit, name: hit.title })))
  for (const { hit, name } of names) {
    // Of headings below each other the innermost says most.
    const text = (name.split(' – ').at(-1) ?? '').replaceAll(/[`*_[\]<>]/g, '').trim()
    if (text.length < 2 || text.length > 80 || commonplace.test(text)) continue
    if (significant(text).every((word) => said.includes(word))) continue
    questions.add(asQuestion(text, hit.language))
    if (questions.size === most) break
  }
  return [...questions]
}

function significant(text: string): string[] {
  const words = text.toLowerCase().split(/[\s,.:;()/]+/)
  const long = words.filter((word) => word.length > 2 || /[^\p{ASCII}]/u.test(word))
  return long.length > 0 ? long : words
}

function asQuestion(name: string, language: string | undefined): string {
  if (/[?？]$/.test(name)) return name
  const foreign = (language !== undefined && !/^en\b/i.test(language)) || /[^\p{ASCII}\p{P}\p{S}]/u.test(name)
  if (foreign) return `${name}?`
  const [first = '', ...others] = name.split(' ')
  if (verbs.has(first.toLowerCase())) return `How do I ${[first.toLowerCase(), ...others].join(' ')}?`
  if (/^when$/i.test(first)) return `What happens ${[first.toLowerCase(), ...others].join(' ')}?`
  if (/^(?:how|what|why|where|which|who)$/i.test(first)) return `${name}?`
  return `What should I know about ${JSON.stringify(name)}?`
}
