import { describe, expect, it } from 'vitest'
import { dialects } from '../frameworks/dialects.ts'
import type { FrameworkName } from '../site.ts'
import { scan } from './scan.ts'

const headingsOf = (framework: FrameworkName, text: string) =>
  scan(text, dialects[framework]).sections.flatMap(({ heading }) => heading?.text ?? [])
const textOf = (framework: FrameworkName, text: string) =>
  scan(text, dialects[framework])
    .sections.map((section) => section.text)
    .join('\n')

describe('template blocks', () => {
  it('takes highlighted text of Liquid for code, and comments for nothing', () => {
    const page =
      '{% comment %}\n## Gone\n{% endcomment %}\n\n{% highlight sh %}\n# not a heading\n{% endhighlight %}\n\n## Kept\n'
    expect(headingsOf('jekyll', page)).toEqual(['Kept'])
    expect(textOf('jekyll', page)).toContain('# not a heading')
    expect(textOf('jekyll', page)).not.toContain('Gone')
  })

  it('shows raw text as it stands, and what an include is given to show', () => {
    const page =
      'Write {% raw %}`{{ name }}`{% endraw %}.\n\n{% include tip.html content="Mind the gap" class="x" %}\n'
    expect(textOf('jekyll', page)).toContain('Write `{{ name }}`.')
    expect(textOf('jekyll', page)).toContain('Mind the gap')
    expect(textOf('jekyll', page)).not.toContain('tip.html')
  })

  it('takes highlighted text of Hugo for code, and shows of other shortcodes what they show', () => {
    const page =
      '{{< highlight bash >}}\n# not a heading\n{{< /highlight >}}\n\n{{< figure\n  src="a.png"\n  caption="A harbour" >}}\n\n{{% tab header="On Linux" %}}\n## Kept\nWords\n{{% /tab %}}\n\n{{/* a note */}}\n'
    expect(headingsOf('hugo', page)).toEqual(['Kept'])
    const text = textOf('hugo', page)
    for (const shown of ['# not a heading', 'A harbour', 'On Linux', 'Words']) expect(text).toContain(shown)
    for (const gone of ['a.png', 'figure', 'a note', '{{']) expect(text).not.toContain(gone)
  })

  it('leaves code in fences alone', () => {
    expect(textOf('hugo', '```\n{{< note >}}\n```\n')).toContain('{{< note >}}')
  })
})

describe('directives of MyST', () => {
  it('leaves out options and what shows nothing, and reads the text of the others', () => {
    const page =
      '```{toctree}\n:maxdepth: 2\na\nb\n```\n\n```{note} Careful\n:class: x\nMind *this*.\n```\n\n:::{code-block} sh\n:linenos:\n# not a heading\n:::\n\n## Kept\n'
    expect(headingsOf('sphinx', page)).toEqual(['Kept'])
    const text = textOf('sphinx', page)
    for (const shown of ['Careful', 'Mind this.', '# not a heading']) expect(text).toContain(shown)
    for (const gone of ['maxdepth', 'linenos', ':class:']) expect(text).not.toContain(gone)
  })

  it('ends all that is open in a directive with the first line that can end it', () => {
    const page = '```{note}\nOne.\n\n```{warning}\nTwo.\n```\n\n## After\n\nText.\n\n```\ncode\n```\n'
    expect(headingsOf('sphinx', page)).toEqual(['After'])
    expect(textOf('sphinx', page)).toContain('Two.')
    expect(headingsOf('sphinx', '```{note}\n```py\ncode\n```\n\n## After\n')).toEqual(['After'])
    const longer = '````{note}\n```py\n# code\n```\nMore.\n````\n\n## After\n'
    expect(headingsOf('sphinx', longer)).toEqual(['After'])
  })

  it('takes a label right below a paragraph for that of the heading', () => {
    const { anchors, sections } = scan('Words\n(mark_x)=\n## Part\n', dialects.sphinx)
    expect([...anchors]).toEqual(['mark_x', 'mark-x', 'part'])
    expect(sections.map(({ text }) => text)).toEqual(['Words', ''])
  })

  it('reads directives within directives', () => {
    const page = '````{tab-set}\n```{tab-item} Linux\n:sync: a\nRun it\n```\n````\n\nAfter\n'
    const text = textOf('sphinx', page)
    for (const shown of ['Linux', 'Run it', 'After']) expect(text).toContain(shown)
    expect(text).not.toContain('sync')
  })
})

describe('HTML', () => {
  it('has no headings up to the next empty line', () => {
    expect(headingsOf('mdbook', '<div>\n## Not one\n\n## One\n</div>\n')).toEqual(['One'])
  })

  it('has none up to its end in Python-Markdown, where it does not ask for Markdown', () => {
    expect(headingsOf('mkdocs', '<div>\n\n## Not one\n\n</div>\n\n## One\n')).toEqual(['One'])
    expect(headingsOf('mkdocs', '<div markdown>\n\n## One\n\n</div>\n')).toEqual(['One'])
    expect(headingsOf('mkdocs', '<div>\n\n## One\n')).toEqual(['One'])
  })

  it('is no text in angle brackets', () => {
    expect(textOf('mdbook', 'A `Result` is Result<T, E> for <client,peer>.')).toBe(
      'A `Result` is Result<T, E> for <client,peer>.',
    )
  })
})
