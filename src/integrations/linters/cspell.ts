import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { cspellNames, prepareCspell } from './cspell-settings.ts'
import { findConfigurations } from './find-configuration.ts'
import type { Linter } from './linter.ts'
import { jsonOf } from '../../lib/text/json-of.ts'

const issue = z.object({
  text: z.string(),
  row: z.number(),
  uri: z.string(),
  message: z.string().optional(),
  isFlagged: z.boolean().optional(),
  suggestions: z.array(z.string()).optional(),
})
const report = z.object({ issues: z.array(issue) })
const mostSuggestions = 3

/** cspell, with the words and plain word lists of the repository. */
export const cspell: Linter = {
  name: 'cspell',
  program: 'cspell',
  prepare: (tree, pages) => prepareCspell(tree, findConfigurations(tree, cspellNames, pages)),
  call: (pages) => ({
    args: [
      'lint',
      '--config=docwright-cspell.json',
      '--no-config-search',
      '--no-progress',
      '--no-summary',
      '--no-color',
      '--no-must-find-files',
      '--reporter=@cspell/cspell-json-reporter',
      '--file-list=stdin',
      '--',
    ],
    stdin: `${pages.map((page) => `./${page}`).join('\n')}\n`,
  }),
  parse: ({ stdout }) => {
    const start = stdout.indexOf('{')
    const parsed = report.safeParse(start === -1 ? undefined : jsonOf(stdout.slice(start)))
    return (parsed.data?.issues ?? []).map(({ text, row, uri, message, isFlagged, suggestions = [] }) => {
      const instead = suggestions.slice(0, mostSuggestions).join(', ')
      const what = message ?? (isFlagged === true ? 'Forbidden word' : 'Unknown word')
      return {
        path: pathOf(uri),
        line: row,
        message: `${what}: ${text}${instead === '' ? '' : `; perhaps ${instead}`}`,
        rule: undefined,
      }
    })
  },
}

function pathOf(uri: string): string {
  try {
    return uri.startsWith('file:') ? fileURLToPath(uri) : uri
  } catch {
    return uri
  }
}
