import type { Linter } from './linter.ts'
import { isRecord, readSettings } from './read-settings.ts'

/** What loads code, other files or other pages. */
const refused = ['customRules', 'markdownItPlugins', 'outputFormatters', 'modulePaths', 'extends']

/** markdownlint-cli2. It has no JSON without a plugin: its own lines are read. */
export const markdownlint: Linter = {
  name: 'markdownlint',
  program: 'markdownlint-cli2',
  configurations: ['cli2.jsonc', 'cli2.json', 'cli2.yaml', 'cli2.yml', 'jsonc', 'json', 'yaml', 'yml'].map(
    (end) => (end.startsWith('cli2') ? `.markdownlint-${end}` : `.markdownlint.${end}`),
  ),
  prepare: async (_, { name, text }) => {
    const settings = readSettings(text, name)
    if (settings === undefined || refused.some((key) => settings[key] !== undefined)) return undefined
    const rules = name.startsWith('.markdownlint-cli2') ? settings['config'] : settings
    if (rules !== undefined && (!isRecord(rules) || rules['extends'] !== undefined)) return undefined
    return [{ path: '.markdownlint-cli2.jsonc', content: JSON.stringify({ config: rules ?? {} }) }]
  },
  call: (pages) => ({ args: ['--', ...pages] }),
  // guides/install.md:3:1 error MD018/no-missing-space-atx No space after hash on atx style heading [Context: "#Title"]
  parse: ({ stdout, stderr }) =>
    `${stderr}\n${stdout}`.split('\n').flatMap((said) => {
      const match = /^(.+?):(\d{1,9})(?::\d{1,9})? (?:(?:error|warning) )?(MD\d{3}(?:\/[\w-]+)?) (.+)$/.exec(
        said.slice(0, 2000),
      )
      if (match === null) return []
      const [, path = '', line = '', rule, message = ''] = match
      return [{ path, line: Number(line), message, rule }]
    }),
}
