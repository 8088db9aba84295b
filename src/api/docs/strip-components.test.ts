import { expect, it } from 'vitest'
import { stripComponents } from './strip-components.ts'

const mdx = (text: string): string =>
  stripComponents(text, true)
    .replaceAll(/\n{2,}/g, '\n\n')
    .trim()
const markdown = (text: string): string =>
  stripComponents(text, false)
    .replaceAll(/\n{2,}/g, '\n\n')
    .trim()

it('takes imports, exports, expressions and comments out of MDX', () => {
  expect(
    mdx(
      "import { A } from './a'\nexport const b = {\n\n  c: 1,\n}\n\nText {props.x}{' '}and {/* no */}more.",
    ),
  ).toBe('Text  and more.')
})

it('leaves them in Markdown, where they are prose', () => {
  expect(markdown('import me from here\n\nUse {braces}.')).toBe('import me from here\n\nUse {braces}.')
})

it('keeps what stands between tags, without their indentation', () => {
  expect(
    mdx(
      '<Steps>\n  <Step title="Get it">\n    Run:\n\n    ```sh\n    npm ci\n      indented\n    ```\n  </Step>\n</Steps>\n\nEnd',
    ),
  ).toBe('**Get it**\n\nRun:\n\n```sh\nnpm ci\n  indented\n```\n\nEnd')
})

it('leaves code alone', () => {
  const code =
    '```jsx\n<Note>{a}</Note>\nimport x from "y"\n:::note\n```\n\nInline `<Note>` and ``a`<b>`` stay.'
  expect(mdx(code)).toBe(code)
})

it('makes notes of components and of every admonition', () => {
  expect(mdx('<Warning>\n  Do **not**.\n</Warning>')).toBe('> [!WARNING]\n> \n> Do **not**.')
  expect(mdx('<Note>Short.</Note>')).toContain('> Short.')
  expect(mdx(':::tip[Did you know]\nYes.\n:::\nAfter')).toBe('> [!TIP] **Did you know**\n> \n> Yes.\n\nAfter')
  expect(markdown('!!! danger "Hot"\n    Burns.\n\n    Still.\n\nAfter')).toMatch(
    /^> \[!CAUTION\] \*\*Hot\*\*\n> \n> Burns\.\n> \n> Still\.\n> ?\n+After$/,
  )
})

it('turns links, images, headings and lists of HTML into Markdown', () => {
  expect(markdown('See <a href="b.md">the <b>page</b></a>.')).toBe('See [the **page**](<b.md>).')
  expect(markdown('<img src="x" alt="A [cat]">')).toBe('![A \\[cat\\]](#)')
  expect(markdown('<h2 id="x">Head</h2>\n\ntext')).toBe('## Head\n\ntext')
  expect(markdown('<ul><li>a</li><li>b</li></ul>')).toBe('- a\n- b')
})

it('takes scripts and styles out whole', () => {
  expect(markdown('a<script>alert(1)</script>b <style>\n.x {}\n</style> c')).toBe('ab  c')
})

it('shows a lone angle bracket and keeps autolinks', () => {
  expect(markdown('a < b, <https://example.com> and <me@example.com>')).toBe(
    'a \\< b, <https://example.com> and <me@example.com>',
  )
})

it('takes heading ids off', () => {
  expect(mdx('## Title {#own-id}')).toBe('## Title')
})
