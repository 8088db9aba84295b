import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { parse } from 'acorn'
import { expect, it } from 'vitest'
import { isRecord } from '../src/lib/is-record.ts'

const root = join(import.meta.dirname, '..')

/** What texts of the interface and the documentation do not say, and what they say instead. */
const avoided: readonly [RegExp, string][] = [
  [/\b(?:some|every|any|no)body\b/i, 'someone, a member, a reader, everyone, anyone, no one'],
  [/\bwhoever\b|\bwhom\b/i, 'anyone who, the person who'],
  [/\banew\b/i, 'again'],
  [/\bbesides\b/i, 'in addition to, also'],
  [/\bmeanwhile\b/i, 'while …'],
  [/\bheed\b/i, 'follow'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix'],
  [/\bby (?:itself|themselves)\b/, 'automatically'],
  [/\bgo(?:es)? on (?:with|from|by|where|until)\b/, 'continues, resumes'],
  [/\bstands? (?:in|at|for|beside|behind|together|alone|still|out|by|below)\b/, 'is in, appears in, means'],
  [/\b(?:is|are|was|were) (?:gone|away)\b/, 'no longer exists, is unavailable'],
  [/\bholds? (?:an?|the|no|what|it|only|these|all)\b/, 'contains'],
  [/\btells? (?:how|whether|what|which|its)\b/, 'shows, reports'],
  [/\bthere (?:is|are) no such\b/i, '… not found'],
  [/\bthe (?:newest|oldest|best|latest) first\b/, 'newest first'],
  [/\bwithout (?:a )?result\b/, 'with no results'],
  [/\be-mail\b/i, 'email'],
  [/\bUS dollars?\b/, 'USD'],
  [/\bcolour|\bbehaviour|\blicence|\brecognis|\borganis/i, 'American spelling'],
  [/\b(?:machine|computer) that runs Docwright\b/, 'the server'],
  [/\btools for agents\b/i, 'MCP servers'],
]

/** More of them, with where they are not said: `ui`, `docs` or both. */
const avoidedIn = readFileSync(join(root, 'tests/words/avoided.tsv'), 'utf8')
  .trim()
  .split('\n')
  .map((row) => row.split('\t'))
  .map(([pattern = '', instead = '', where = '']) => ({ pattern: new RegExp(pattern), instead, where }))

/** What is said all the same: names of others, names of options and fields, quotes, examples, lists of words. */
const said: readonly [RegExp, RegExp][] = [
  [/gitlab|guides\/git-hosts|evaluations\/code-then/, /^merge request$/],
  [/projects\/(?:run|use-commands|verbs)|settings\/table|discovery\/check-field/, /^vectors?$/],
  [/create-embedder|built-in-model\.mdx/, /^passages?$/],
  [/people\/account\/verbs/, /^logins?$/],
  [/pulls\/verbs|pinned\/same-question|pin-answers\.mdx/, /^please$/i],
  [/models\/print-material/, /^holds? /],
]

/** Texts for models, and words that are looked for in texts of others. */
const ofModels =
  /\.test\.|policy\/parts\/|policy\/(?:protected|asked)|system-prompt|\/prompt\.ts|lib\/prompts|features\/agent\/(?:tools|model|turns|loop|start)\/|assistant\/models\/|suggest-questions|search\/words|guidance\.ts|eval\/judge|describe-gaps|job-of-gap|gap-job|work-of-answer|write-questions|builtin\/|widget\/texts\/(?!en)/

it('says things in plain words', () => {
  const files = execFileSync('git', ['-C', root, 'ls-files', 'src', 'web', 'docs', 'README.md'], {
    encoding: 'utf8',
  }).split('\n')
  const hits: string[] = []
  const report = (file: string, text: string, where: 'ui' | 'docs') => {
    for (const rule of avoidedIn.filter((one) => one.where.includes(where))) {
      const word = rule.pattern.exec(text)?.[0]
      if (word !== undefined && !said.some(([path, words]) => path.test(file) && words.test(word)))
        hits.push(`${file}: “${word}” (${rule.instead}): ${text.trim().slice(0, 100)}`)
    }
    for (const [pattern, instead] of avoided) {
      const word = pattern.exec(text)?.[0]
      if (word !== undefined) hits.push(`${file}: “${word}” (${instead}): ${text.trim().slice(0, 100)}`)
    }
  }
  let texts = 0
  for (const file of files) {
    if (/\.mdx?$/.test(file))
      for (const line of proseOf(readFileSync(join(root, file), 'utf8'))) report(file, line, 'docs')
    else if (/\.(?:ts|js)$/.test(file) && !ofModels.test(file))
      for (const text of textsOf(readFileSync(join(root, file), 'utf8'))) {
        texts++
        report(file, text, 'ui')
      }
  }
  expect(avoidedIn.length).toBeGreaterThan(70)
  expect(texts).toBeGreaterThan(2000)
  expect(hits).toEqual([])
})

/** Lines outside of code. */
function proseOf(page: string): string[] {
  let isCode = false
  return page.split('\n').flatMap((line) => {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode
    return isCode ? [] : [line.replaceAll(/`[^`]*`|\]\([^)]*\)/g, '')]
  })
}

/** Texts of more than a word that a program has, without SQL. */
function textsOf(source: string): string[] {
  const texts: string[] = []
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit)
    if (!isRecord(node) || node['type'] === 'ImportDeclaration') return
    const { type, value, quasis } = node
    if (type === 'Literal' && typeof value === 'string') texts.push(value)
    if (type === 'TemplateLiteral' && Array.isArray(quasis))
      texts.push(
        quasis
          .map((part: unknown) => (isRecord(part) && isRecord(part['value']) ? part['value']['cooked'] : ''))
          .join('}'),
      )
    for (const child of Object.values(node)) if (typeof child === 'object') visit(child)
  }
  visit(parse(stripTypeScriptTypes(source), { ecmaVersion: 'latest', sourceType: 'module' }))
  return texts
    .map((text) => text.replaceAll(/<[^<>]*>/g, ' ').replaceAll(/\s+/g, ' '))
    .filter(
      (text) =>
        text.trim().includes(' ') &&
        !/^\s*(?:select|insert into|update|delete from|create|alter|with|exists|case when)\b/i.test(text),
    )
}
