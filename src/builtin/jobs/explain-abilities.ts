import { folderOf } from '../pages/find-page.ts'
import { listPages } from '../tools.ts'
import { nothing, short, type Work } from './outcome.ts'

const otherModels =
  'For anything else set another model, for example `DOCWRIGHT_MODEL=anthropic:claude-sonnet-5-5` with `ANTHROPIC_API_KEY` on the server, or one of your own machine: Docwright’s documentation says how on the page “Models” (`/operate/models`). The whole list of requests is on the page “The built-in model” (`/concepts/built-in-model`).'
const mostNear = 3

const question = /^(?:how|what|why|where|when|who|which|is|are|do|does|did|should|can i|has|have)\b.*\?$/is

/**
 * Explains what can be asked, the closest matches first. Each example names pages of this documentation and works
 * unchanged.
 * @param unknown requests that were not understood; empty when a person asked what can be asked
 */
export function* explainAbilities(unknown: readonly string[]): Work {
  const examples = yield* examplesHere()
  const words = new Set(
    unknown
      .join(' ')
      .toLowerCase()
      .match(/[a-z]+/g),
  )
  const near = examples
    .map(({ example, about }) => {
      const shared = about.filter((word) => words.has(word) || words.has(`${word}s`)).length
      // The verb says most of what is wanted.
      const verb = example.split(' ', 1)[0]?.toLowerCase() ?? ''
      return { example, score: shared + (words.has(verb) ? 3 : 0) }
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, mostNear)
    .map(({ example }) => example)
  const rest = examples.map(({ example }) => example).filter((example) => !near.includes(example))
  const list = (some: readonly string[]) => some.map((example) => `- \`${example}\``).join('\n')
  const parts: string[] = []
  if (unknown.length > 0) {
    const names = unknown.map((text) => `“${short(text, 120)}”`).join(', ')
    parts.push(`The built-in model did not understand ${names}, and changed nothing for it.`)
    if (unknown.some((text) => question.test(text.trim())))
      parts.push('A job changes pages. The assistant answers questions about them.')
  }
  if (near.length > 0)
    parts.push(
      `The closest requests that it understands:\n\n${list(near)}`,
      `It also knows:\n\n${list(rest)}`,
    )
  else parts.push(`It works by rules and knows requests like these:\n\n${list(rest)}`)
  parts.push(otherModels)
  const notUnderstood = unknown.length > 0
  return {
    ...nothing(notUnderstood ? 'Not understood' : 'What can be asked', parts.join('\n\n')),
    notUnderstood,
  }
}

function* examplesHere() {
  const listed = yield* listPages()
  const pages = listed.ok ? listed.value : []
  const titled = pages.filter(({ title }) => /^[^"“”`\n]{1,60}$/.test(title))
  const unique = titled.find(({ title }) => titled.filter((page) => page.title === title).length === 1)
  const page = unique ? `the page "${unique.title}"` : (pages[0]?.path ?? 'the quickstart page')
  const path = unique?.path ?? pages[0]?.path ?? 'guides/install.md'
  const folder = pages.map((one) => folderOf(one.path)).findLast((one) => one !== '') ?? 'guides'
  const group = pages.flatMap((one) => one.group ?? []).find((name) => !/["`\n]/.test(name))
  const where = group === undefined ? `in ${folder}/` : `to the group "${group}"`
  const examples: [example: string, about: string][] = [
    [`Replace "old name" with "new name" in ${page}`, 'replace change rename update rewrite word term text'],
    ['Change the port from 4000 to 8080', 'port number timeout limit change from'],
    ['Update Node.js to 24', 'version update upgrade bump node release'],
    ['Use "GitHub" instead of "Github", "git hub"', 'use spelling term consistent instead'],
    ['Fix the typo "recieve"', 'typo spelling fix correct grammar proofread'],
    [`Fix broken links in ${folder}/`, 'link broken fix anchor image check'],
    ['Replace http:// with https:// in all links', 'link url address http https secure'],
    [
      `Move ${path} to ${folder}/new-place${/\.\w+$/.exec(path)?.[0] ?? ''}`,
      'move file folder reorganise restructure',
    ],
    [`Rename ${page} to "Installation"`, 'rename title call'],
    [`Change the title of ${page} to "Get started"`, 'title heading'],
    [`Set the description of ${page} to "How to begin"`, 'description front matter seo summary'],
    ['Add missing descriptions', 'missing description front matter seo metadata'],
    [`Delete ${path}`, 'delete remove drop'],
    ['Add a page about rate limits', 'page add write create new document guide about'],
    [
      `Add a page "Troubleshooting" ${where} with: Restart the server.`,
      'page add write create new document guide',
    ],
    [`Add a section "FAQ" to ${page}: "Ask us anything."`, 'section add write faq explain document'],
    [`Add a note to ${page}: "Back up your data first."`, 'note tip warning add mention box callout'],
  ]
  return examples.map(([example, about]) => ({ example, about: about.split(' ') }))
}
