import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isWords, type Setting } from '../src/features/projects/settings/setting.ts'
import { settings } from '../src/features/projects/settings/table.ts'

const page = join(import.meta.dirname, '../docs/guides/project-settings.mdx')

it('documents every setting as the table of settings has it; -u writes it anew', async () => {
  const text = await readFile(page, 'utf8')
  const [, before = '', after = ''] = /^([^]*?\n## The settings\n\n)(?:\|.*\n)+([^]*)$/.exec(text) ?? []
  expect(after).not.toBe('')
  const rows = Object.entries(settings).map(([name, setting]: [string, Setting]) => [
    optionsOf(setting),
    `\`${name}\``,
    `${setting.meaning.replaceAll('’', "'")}${standardOf(setting)}`,
  ])
  const lines = [['Option', 'Setting', 'Meaning'], ['---', '---', '---'], ...rows]
  const table = lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('')
  await expect(before + table + after).toMatchFileSnapshot(page)
})

function optionsOf(setting: Setting): string {
  const fields = 'parts' in setting ? Object.values(setting.parts) : [setting]
  return fields
    .map(({ option }) => {
      const [flag, value = ''] = option.split(' ')
      const items = /^<(.+)\.\.\.>$/.exec(value)?.[1]
      return `\`${flag}${items === undefined ? '' : ` ${items.toUpperCase()}…`}\``
    })
    .join(', ')
}

function standardOf({ standard }: Setting): string {
  const words = isWords(standard) ? standard.words : standard === false ? 'off' : `\`${String(standard)}\``
  return words === 'none' || Array.isArray(standard) ? '' : ` Default: ${words}.`
}
