import { toTree } from '../../src/api/render/markdown/to-tree.ts'
import { composeAnswer } from '../../src/builtin/answers/compose-answer.ts'
import { readBlocks } from '../../src/builtin/answers/read-blocks.ts'
import { safeText } from '../../src/builtin/answers/safe-text.ts'
import { createPages } from '../../src/site/page-text.ts'
import { parseRequests } from '../../src/builtin/requests/parse-request.ts'
import { readMention } from '../../src/features/agent/hosts/read-mention.ts'
import { commitMessage, requestTitle } from '../../src/features/agent/outgoing/commit-message.ts'
import { plainPrinter } from '../../src/features/agent/outgoing/print.ts'
import { checkContent } from '../../src/features/agent/policy/check-content.ts'
import { findSecrets } from '../../src/features/agent/policy/find-secrets.ts'
import type { BaseSite } from '../../src/features/agent/policy/base-site.ts'
import type { PageDialect } from '../../src/site/pages/dialect.ts'
import { createLinkGuard } from '../../src/features/assistant/links/guard.ts'
import { readQueries } from '../../src/features/assistant/models/write-queries.ts'
import { planSearch } from '../../src/features/assistant/search/plan-search.ts'
import { scanWords } from '../../src/features/docs/search/words.ts'
import { createTextReader, readText } from '../../src/integrations/models/chat/read-text.ts'
import { readGlossary } from '../../src/lib/text/glossary.ts'
import { isHostileYaml } from '../../src/lib/text/hostile-yaml.ts'
import { withoutHidden } from '../../src/lib/text/plain-text.ts'
import { extractLinks } from '../../src/site/markdown/extract-links.ts'
import { readFrontMatter } from '../../src/site/markdown/front-matter.ts'
import { readPageTree } from '../../src/site/markdown/page-tree.ts'
import { plainText } from '../../src/site/markdown/plain-text.ts'
import { anyHeading } from '../../src/site/pages/heading-rules.ts'
import { scan } from '../../src/site/pages/scan.ts'
import { editFrontMatter } from '../../src/site/markdown/edit-front-matter.ts'
import { fileReferences } from '../../src/site/pages/file-references.ts'

const mdx: PageDialect = { mdx: true, python: false, vue: false, templates: 'none' }
const python: PageDialect = { mdx: false, python: true, vue: false, templates: 'whole' }
const vue: PageDialect = { mdx: false, python: false, vue: true, templates: 'live' }

/** Everything that reads text of strangers without a store or a network, by name. */
export const entrances: Record<string, (text: string) => unknown> = {
  'pages, Markdown': (text) => scan(text, { mdx: false, slugs: 'github', headings: anyHeading }),
  'pages, MDX': (text) => scan(text, { mdx: true, slugs: 'github', headings: anyHeading }),
  'plain text': (text) =>
    plainText(text, {
      mdx: true,
      ticks: true,
      attributes: true,
      references: new Set(['a']),
      onTag: () => {},
    }),
  links: extractLinks,
  'front matter': readFrontMatter,
  'front matter, within': (text) => readFrontMatter(`---\n${text}\n---\n`),
  'page tree, Markdown': (text) => readPageTree(text, 'markdown'),
  'policy, MDX': (text) => judge('a.mdx', text, mdx),
  'policy, Python-Markdown': (text) => judge('a.md', text, python),
  'policy, Vue': (text) => judge('a.md', text, vue),
  'policy, reStructuredText': (text) => judge('a.rst', text, python),
  'policy, AsciiDoc': (text) => judge('a.adoc', text, python),
  'policy, YAML': (text) => judge('a.yml', text, python),
  'policy, JSON': (text) => judge('a.json', text, python),
  secrets: (text) => findSecrets(text.split('\n').map((line, at) => ({ text: line, line: at + 1 }))),
  'commit message': (text) => commitMessage({ title: 'A', summary: text, model: 'm', jobId: 'job_1' }),
  'title of a pull request': requestTitle,
  'Markdown for hosts, not parsed': (text) => plainPrinter.block(text, 60_000),
  'line for hosts, not parsed': (text) => plainPrinter.line(text, 300),
  withoutHidden,
  'text of a model': readText,
  'text of a model, in pieces': (text) => {
    const reader = createTextReader({ begins: 'thinks' })
    for (let at = 0; at < text.length; at += 8) reader.write(text.slice(at, at + 8))
    return reader.end()
  },
  editFrontMatter: (text) => attempt(() => editFrontMatter(`---\n${text}\n---\n`, 'title', 'New')),
  fileReferences,
  'page tree, MDX': (text) => readPageTree(text, 'docs-mdx'),
  mentions: (text) => readMention(`@docwright ${text}`, ['docwright']),
  'link guard': async (text) => {
    const guard = createLinkGuard(async () => undefined)
    for (let at = 0; at < text.length; at += 5000) await guard.write(text.slice(at, at + 5000))
    await guard.end()
  },
  'shown pages': (text) => toTree(text, true),
  words: (text) => scanWords(text, () => {}),
  requests: parseRequests,
  'requests, added text': (text) => parseRequests(`Add a note to the quickstart page: ${text}`),
  'requests, named': (text) => parseRequests(`Replace ${text} with b in ${text}`),
  'search plan': (text) =>
    planSearch({ question: text, history: [{ role: 'user', text }], context: [{ value: text }] }),
  'follow-up': (text) => planSearch({ question: 'and it?', history: [{ role: 'user', text }], context: [] }),
  'queries of a model': readQueries,
  answer: (text) =>
    composeAnswer({
      text: 'What is a note?',
      context: '',
      results: [{ title: 'Note', heading: 'Note', url: '/note', path: 'note.md', content: text }],
      near: [],
      unknown: [],
    }),
  'answer, question': (text) =>
    composeAnswer({
      text,
      context: text,
      results: [{ title: 'Note', heading: 'Note', url: '/note', path: 'note.md', content: 'A note.' }],
      near: [],
      unknown: text.slice(0, 1000).split(/\s/),
    }),
  'plain answer': safeText,
  blocks: readBlocks,
  'pages to change': (text) => createPages()(() => {})(text, 'a.md'),
  'pages to change, MDX': (text) => createPages()(() => {})(text, 'a.mdx'),
  'glossary, Markdown': (text) => attempt(() => readGlossary(text, 'glossary.md')),
  'glossary, YAML': (text) => attempt(() => readGlossary(text, 'glossary.yml')),
  'YAML guard': isHostileYaml,
}

/** What once stopped a server. */
export const known = [
  `{x${'/**/'.repeat(60)} y}`,
  `{!${'\t'.repeat(5000)}`,
  '-'.repeat(600_000),
  `{#.\t+="${'#-="\t.:="\t'.repeat(28)}#+=""}`,
  `## a ${'\t'.repeat(120)}{${'\t'.repeat(120)}##${'#'.repeat(120)}{{##}`,
  `:::\u2028${'\t'.repeat(250)}{]}${'\t'.repeat(250)}[]\u2028`,
]

/** Short texts that readers of markup stop at, to be repeated. */
export const pieces = [
  ' ',
  '\t',
  '\n',
  '\r',
  '\u2028',
  '-',
  '*',
  '_',
  '`',
  '~',
  '[',
  ']',
  '(',
  '<',
  '>',
  '{',
  '}',
  ':',
  '!',
  '|',
  '&',
  '\\',
  '#',
  '"',
  "'",
  '=',
  '.',
  '/',
  ',',
  '/**/',
  '{!\t',
  ':::',
  '!!! ',
  '<a b="',
  '<!--',
  '{{a}}',
  '{a ',
  '{/*',
  '](',
  '[a](',
  '![](',
  '[a]: b\n',
  '``a',
  '```a\n\n',
  '> - ',
  '1. ',
  '\t\n',
  '|a|b|\n',
  '&#x3a;',
  '<A b={',
  '<p\n',
  'eyJ-',
  'http://',
  '--8<-- "a',
  'import {\n\n',
  '#.:="',
  '"#-="\t',
  "a: 'b' ",
  '&a *a ',
  'a: |\n',
  ' and then add ',
  ', and ',
  ' to ',
  '\r\n',
  '\u202e',
]

function attempt(run: () => unknown): unknown {
  try {
    return run()
  } catch {
    return undefined
  }
}

async function judge(path: string, after: string, dialect: PageDialect): Promise<unknown> {
  const site: BaseSite = {
    paths: [path],
    pages: 2,
    readingOf: () => ({ dialect, ships: () => false, findFile: () => undefined }),
    read: async () => Buffer.from(''),
  }
  return checkContent([{ path, before: Buffer.from('# A\n'), after: Buffer.from(after) }], site)
}
