import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'

/** What the widget calls colors of the design, where it has another name for one. */
const names: Readonly<Record<string, string>> = { surface: 'card' }

async function colors(file: string, blocks: readonly RegExp[]): Promise<Map<string, string>[]> {
  const css = await readFile(new URL(file, import.meta.url), 'utf8')
  return blocks.map((block) => {
    const [text = ''] = block.exec(css) ?? []
    const found = text.matchAll(/--([a-z-]+):(?: var\(--[a-z-]+,)? (#[\da-f]{3,6})/g)
    return new Map(
      Array.from(found, ([, name = '', color = '']) => [name, color.replace(/^#fff$/, '#ffffff')]),
    )
  })
}

it('has the colors of the dashboard, light and dark', async () => {
  const own = await colors('../../../web/widget/view/panel.css', [
    /\n\.root \{[^}]*\}/,
    /\.root\[data-scheme='dark'\] \{[^}]*\}/,
  ])
  const tokens = await colors('../frame/assets/dashboard/tokens.css', [
    /:root \{[^}]*\}/,
    /@media \(prefers-color-scheme: dark\) \{\s*:root \{[^}]*\}/,
  ])
  for (const [index, scheme] of own.entries())
    for (const name of ['accent', 'accent-text', 'surface', 'soft', 'text', 'muted', 'line', 'bad'])
      expect(scheme.get(name), name).toBe(tokens[index]?.get(names[name] ?? name))
})
