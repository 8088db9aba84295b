import { expect, test } from 'vitest'
import { withFencesOfCode } from './code-elements.ts'

test('code in HTML is code in Markdown, with its language and without the marks of highlighters', () => {
  const html =
    '<pre><code class="language-bash">tide <span class="k">install</span>\ntide &amp;&amp; lane\n</code></pre>'
  expect(withFencesOfCode(html, false).trim()).toBe('```bash\ntide install\ntide && lane\n```')
})

test('code in a tab or in an element around it is code, and what stands beside it stays', () => {
  const tab = '<TabItem value="mac">\n<pre>\nbrew install tide\n</pre>\n</TabItem>'
  expect(withFencesOfCode(tab, true)).toMatch(
    /<TabItem value="mac">\n\n```\nbrew install tide\n```\n\n<\/TabItem>/,
  )
  const around = '<div class="x"><pre>curl https://tide.example | sh</pre></div>'
  expect(withFencesOfCode(around, false)).toMatch(
    /<div class="x">\n\n```\ncurl https:\/\/tide.example \| sh\n```\n\n<\/div>/,
  )
  const component = '<CodeBlock language="sh">{`pip install tide`}</CodeBlock>'
  expect(withFencesOfCode(component, true)).toContain('```sh\npip install tide\n```')
})

test('code stays as it is where it shows HTML, where nothing ends it, and where it has tags of its own', () => {
  const shown = '```html\n<pre>a</pre>\n```\n\n    <pre>b</pre>\n\nUse `<pre>` and `</pre>`.\n\n<pre>\nopen'
  expect(withFencesOfCode(shown, false)).toBe(shown)
  expect(withFencesOfCode('<pre>a &lt; b <T> c</pre>', false)).toContain('a < b <T> c')
  expect(withFencesOfCode('<pre>a\n```\nb\n```</pre>', false)).toContain('`````\na\n```')
})

test('takes linear time', () => {
  const hostile = ['<pre>\n'.repeat(20_000), `<pre>${'<a b="'.repeat(50_000)}</pre>`, '<'.repeat(300_000)]
  for (const text of hostile) {
    const start = performance.now()
    withFencesOfCode(text, false)
    expect(performance.now() - start).toBeLessThan(3000)
  }
})
