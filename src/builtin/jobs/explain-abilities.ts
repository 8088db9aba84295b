import { folderOf } from '../pages/find-page.ts'
import { suggestRequests } from '../requests/suggest.ts'
import { listPages } from '../tools.ts'
import { nothing, short, type Work } from './outcome.ts'

const otherModels =
  'For anything else set another model, for example `DOCWRIGHT_MODEL=anthropic:claude-sonnet-5-5` with `ANTHROPIC_API_KEY` on the server, or one of your own machine: Docwright’s documentation says how on the page “Models” (`/operate/models`). The whole list of requests is on the page “The built-in model” (`/concepts/built-in-model`).'
const question = /^(?:how|what|why|where|when|who|which|is|are|do|does|did|should|can i|has|have)\b.*\?$/is

const mostMeant = 3

/** Says which requests were not understood. */
function describeUnknown(unknown: readonly string[]): string {
  const names = unknown.map((text) => `“${short(text, 120)}”`).join(', ')
  return `The built-in model did not understand ${names}, and changed nothing for it.`
}

/**
 * Explains what can be asked. Each example names pages of this documentation and works unchanged; none deletes anything.
 * @param unknown requests that were not understood; empty when a person asked what can be asked
 */
export function* explainAbilities(unknown: readonly string[]): Work {
  const examples = yield* examplesHere()
  const list = (some: readonly string[]) => some.map((example) => `- \`${example}\``).join('\n')
  const notUnderstood = unknown.length > 0
  const parts: string[] = notUnderstood ? [describeUnknown(unknown)] : []
  if (unknown.some((text) => question.test(text.trim())))
    parts.push('A job changes pages. The assistant answers questions about them.')
  const meant = [...new Set(unknown.flatMap(suggestRequests))].slice(0, mostMeant)
  if (meant.length > 0) {
    const what = `${parts.join(' ')} You may have meant:\n\n${list(meant)}`
    return { ...nothing('Not understood', what), notUnderstood, meant }
  }
  parts.push(`It works by rules and knows requests like these:\n\n${list(examples)}`, otherModels)
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
  return [
    `Replace "old name" with "new name" in ${page}`,
    'Update Node.js from 22.1.0 to 24.0.0',
    'Use "GitHub" instead of "Github", "git hub"',
    `Fix broken links in ${folder}/`,
    `Move ${path} to ${folder}/new-place${/\.\w+$/.exec(path)?.[0] ?? ''}`,
    `Add a note to ${page}: "Back up your data first."`,
  ]
}
