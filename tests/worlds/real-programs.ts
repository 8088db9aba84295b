import type { LintMessage } from '../../src/site/checks/lint.ts'

/** For tests: a repository whose configurations try to run their own code, and pages with a mistake of each kind. */
export function hostileRepository(marker: string): Record<string, string> {
  const code = `require('node:fs').writeFileSync(${JSON.stringify(marker)}, 'it ran')\nmodule.exports = { names: [] }\n`
  return {
    '.markdownlint-cli2.jsonc': `{
      // ours
      "globs": ["**/*.md", "!docs/skipped.md"],
      "ignores": ["docs/old/**"],
      "customRules": ["./evil.cjs"],
      "markdownItPlugins": [["./evil.cjs"]],
      "outputFormatters": [["./evil.cjs"]],
      "config": { "extends": "./config/base.yaml", "MD041": true },
    }`,
    'config/base.yaml': 'MD013: false\nMD040: false\n',
    'docs/api/.markdownlint.json': '{ "MD013": false, "MD041": false }',
    'cspell.json': JSON.stringify({
      version: '0.2',
      import: ['./.cspell/more.yaml'],
      words: ['wrold'],
      flagWords: ['blacklist'],
      ignorePaths: ['docs/old'],
      dictionaryDefinitions: [{ name: 'house', path: './.cspell/house.txt' }],
      dictionaries: ['house'],
    }),
    '.cspell/more.yaml': 'words: [frobnicate]\nignorePaths: ["*.md"]\n',
    '.cspell/house.txt': 'docwright\n',
    'evil.cjs': code,
    '.markdownlint-cli2.cjs': code,
    'docs/.markdownlint.cjs': code,
    'cspell.config.cjs': code,
    'node_modules/@cspell/cspell-json-reporter/index.js': code,
  }
}

const text = '#Title\n\nA wrold that docwright can frobnicate wihtout the blacklist.\n\n\n\n```\ncode\n```\n'

export const mistakenPages = [
  { path: 'docs/guide.md', text },
  { path: 'docs/!odd [name].mdx', text: '# Title\n\nOnly wihtout.\n' },
  { path: 'docs/old/page.md', text },
  { path: 'docs/skipped.md', text: '#Title\n' },
  { path: 'docs/api/call.md', text: '```\ncode\n```\n' },
]

const guide = { linter: 'markdownlint', path: 'docs/guide.md' } as const
const context = '[Context: "#Title"]'

/** What the programs find in them, by path and line. */
export const foundMistakes: LintMessage[] = [
  {
    linter: 'cspell',
    path: 'docs/!odd [name].mdx',
    line: 3,
    rule: undefined,
    message: 'Unknown word: wihtout; perhaps without',
  },
  {
    linter: 'markdownlint',
    path: 'docs/api/call.md',
    line: 1,
    rule: 'MD040/fenced-code-language',
    message: 'Fenced code blocks should have a language specified [Context: "```"]',
  },
  {
    ...guide,
    line: 1,
    rule: 'MD018/no-missing-space-atx',
    message: `No space after hash on atx style heading ${context}`,
  },
  {
    ...guide,
    line: 1,
    rule: 'MD041/first-line-heading',
    message: `First line in a file should be a top-level heading ${context}`,
  },
  { ...guide, linter: 'cspell', line: 3, rule: undefined, message: 'Forbidden word: blacklist' },
  { ...guide, linter: 'cspell', line: 3, rule: undefined, message: 'Unknown word: wihtout; perhaps without' },
  {
    ...guide,
    line: 5,
    rule: 'MD012/no-multiple-blanks',
    message: 'Multiple consecutive blank lines [Expected: 1; Actual: 2]',
  },
  {
    ...guide,
    line: 6,
    rule: 'MD012/no-multiple-blanks',
    message: 'Multiple consecutive blank lines [Expected: 1; Actual: 3]',
  },
]
