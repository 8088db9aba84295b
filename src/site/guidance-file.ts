import { withoutHidden } from '../lib/text/plain-text.ts'
import { issueSentence } from '../lib/text/issue-sentence.ts'
import { guidance, mostInstructions, type Guidance } from './guidance.ts'
import { storableText } from './pages/decode.ts'
import { readFrontMatter } from './markdown/front-matter.ts'

const longestFile = 100_000

/** Reads the guidance of a repository's file. What is not valid is left out and named. Never throws on any text. */
export function readGuidanceFile(text: string): { guidance: Guidance; problems: string[] } {
  if (text.length > longestFile)
    return {
      guidance: {},
      problems: ['It is too long, so nothing of it is used: write at most 4,000 characters'],
    }
  const source = storableText(text)
  const { data, bodyStart, problem } = readFrontMatter(source)
  const problems = problem === undefined ? [] : [`Its front matter is not valid: ${problem}`]
  const valid: Guidance = {}
  const instructions = withoutHidden(source.slice(bodyStart)).trim()
  if (instructions.length > mostInstructions)
    problems.push(
      `Its text has ${instructions.length.toLocaleString('en')} characters, so it is not used: write at most 4,000`,
    )
  else if (instructions !== '') valid.instructions = instructions
  for (const [name, value] of Object.entries(data).slice(0, 20)) {
    const parsed = guidance.safeParse({ [name]: asGiven(name, value) })
    if (name !== 'instructions' && parsed.success) Object.assign(valid, parsed.data)
    else if (!fieldNames.includes(name))
      problems.push(`It has an unknown field "${name.slice(0, 50)}": there are ${fieldNames.join(', ')}`)
    else if (parsed.error)
      problems.push(`${issueSentence(parsed.error, () => `Its field "${name}"`)}, so it is not used`)
  }
  return { guidance: valid, problems: problems.map((one) => storableText(one.slice(0, 500))) }
}

const fieldNames = ['starters', 'refuse', 'contact']

// A list of one is often written as a text.
function asGiven(name: string, value: unknown): unknown {
  return typeof value === 'string' && (name === 'starters' || name === 'refuse') ? [value] : value
}
