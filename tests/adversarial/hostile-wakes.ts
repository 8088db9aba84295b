import type { PolicyAttack } from './hostile-pages.ts'

/** Changes that wake what lies asleep in the base: nothing of it is new, and nothing may be published of it. */
export const hostileWakes: PolicyAttack[] = []
/** Changes beside of what sleeps, that are fine. */
export const harmlessSleep: PolicyAttack[] = []

const script = '<script>EVIL()</script>'
const image = '![x](https://evil.net/p.png)'
const pathOf = (site: string, name: string): string =>
  ({ mint: `mint/${name}.mdx`, python: `python/docs/${name}.md` })[site] ?? `${site}/${name}.md`

/** The same page before and after. */
function wake(site: string, name: string, before: string, after: string, list = hostileWakes): void {
  const path = pathOf(site, 'asleep')
  const [old, now] = [`# A\n\n${before}\n`, `# A\n\n${after}\n`]
  list.push({
    site,
    name: `${site}: ${name}`,
    content: '',
    base: { [path]: old },
    calls: [['write_file', { path, content: now, exact: true }]],
  })
}
/** Another page, that has awake what sleeps in a file of the base. */
function copy(site: string, name: string, file: [path: string, content: string], content: string): void {
  hostileWakes.push({ site, name: `${site}: ${name}`, content, base: { [file[0]]: file[1] } })
}

wake('plain', 'uncomment', `<!--\n${script}\n-->`, script)
wake('plain', 'uncomment in a line', `Text <!-- ${script} --> more`, `Text ${script} more`)
wake('mint', 'uncomment', `{/* ${script} */}`, script)
wake('mint', 'uncomment an image', `{/* ${image} */}`, image)
wake('mint', 'uncomment an expression', '<!-- {fetch(1)} -->', '{fetch(1)}')
wake('press', 'uncomment a mustache', '<!-- {{ fetch(1) }} -->', '{{ fetch(1) }}')
wake('plain', 'uncomment a block that runs', '<!--\n```js live\nEVIL()\n```\n-->', '```js live\nEVIL()\n```')
wake('plain', 'take a backslash away', `\\${script}`, script)
wake('plain', 'take the backslash of an image away', `\\${image}`, image)
wake('plain', 'take the backslash of a link away', '\\[x](javascript:EVIL())', '[x](javascript:EVIL())')
wake('plain', 'outdent', `    ${script}`, script)
wake(
  'plain',
  'shorten a fence',
  `\`\`\`\`md\n\`\`\`\n${script}\n\`\`\`\n\`\`\`\``,
  `\`\`\`md\n\`\`\`\n${script}\n\`\`\`\n\`\`\``,
)
wake('python', 'take raw away', '{% raw %}{{ config }}{% endraw %}', '{{ config }}')
wake(
  'python',
  'end raw before',
  '{% raw %}{{ config }}{% endraw %}',
  '{% raw %}x{% endraw %} {{ config }} {% raw %}{% endraw %}',
)
// A comment that is none
const sleeping = `<!-- ${script} -->`
wake('plain', 'a comment in a value', sleeping, `<div title="\n\n<!-- "> ${script} <b title="-->">`)
wake('plain', 'a comment in a text field', sleeping, `<textarea><!-- </textarea> ${script} -->`)
wake('plain', 'a comment in a comment', sleeping, `<? <!-- ?> ${script} -->`)
wake('plain', 'a comment with another end', sleeping, `<!-- --!> ${script} -->`)
wake('plain', 'an escaped comment', sleeping, `\\<!-- ${script} -->`)
wake('mint', 'an escaped comment', `{/* ${script} */}`, `\\{/* ${script} */}`)
wake('mint', 'a comment in texts', `{/* ${script} */}`, `{"{/*"} ${script} {"*/}"}`)
wake('mint', 'a comment in values', `{/* ${script} */}`, `<Card x="{/*" /> ${script} <Card x="*/}" />`)
wake('plain', 'a backslash in a block', `\\${script}`, `<div>\n\\${script}\n</div>`)
wake('plain', 'a backslash before brackets', '\\[x](javascript:EVIL())', '\\[[x](javascript:EVIL())')
wake(
  'plain',
  'a backslash before a value',
  '\\<img src=x onerror=EVIL()>',
  '\\<a title="<img src=x onerror=EVIL()>">',
)
for (const [name, after] of [
  ['titles of links', `[x](/a "<!--") ${script} [x](/a "-->")`],
  ['descriptions', `![<!--](/a) ${script} ![-->](/b)`],
  ['titles of definitions', `[x]: /a "<!--"\n\n${script}\n\n[y]: /a "-->"`],
  ['two paragraphs', `Text <!--\n\n${script}\n\n-->`],
  ['a heading', `# a <!--\n${script}\n-->`],
  ['cells', `| a | b |\n|---|---|\n| <!-- | ${script} --> |`],
] as const)
  wake('plain', `a comment over ${name}`, sleeping, after)
wake('plain', 'a backslash behind an end', `\\${script}`, `</div>\n\\${script}`)
hostileWakes.push({
  site: 'plain',
  name: 'plain: a comment in front matter',
  content: `---\ntitle: "<!--"\n---\n\n${script}\n\n-->\n`,
  base: { 'plain/z.md': `${sleeping}\n` },
})
// From elsewhere
copy('plain', 'commented elsewhere', ['plain/z.md', `<!-- ${script} -->\n`], script)
copy('plain', 'shown elsewhere', ['plain/z.md', `# x\n\n    ${script}\n`], script)
copy('plain', 'an image that is commented elsewhere', ['plain/z.md', `<!-- ${image} -->\n`], image)
copy(
  'plain',
  'a frame that is commented elsewhere',
  ['plain/z.md', '<!-- <iframe src="https://evil.net/p"></iframe> -->\n'],
  '<iframe src="https://evil.net/p"></iframe>',
)
copy('plain', 'of a text', ['plain/z.txt', `${script}\n`], script)
copy('plain', 'of a table', ['plain/z.csv', `${script}\n`], script)
copy('plain', 'of an application', ['app/index.html', `${script}\n`], script)
copy('python', 'raw elsewhere', ['python/docs/z.md', '{% raw %}{{ config }}{% endraw %}\n'], '{{ config }}')
for (const [from, content] of [
  ['txt', script],
  ['csv', script],
  ['json', `{"a": "${script}"}`],
] as const)
  hostileWakes.push({
    site: 'plain',
    name: `plain: ${from} to md`,
    content: '',
    base: { [`plain/z.${from}`]: `${content}\n` },
    calls: [['move_page', { from: `plain/z.${from}`, to: 'plain/z.md' }]],
  })
// Comments of templates that take a fence away
const around = (open: string, close: string): string =>
  `${open}\n\`\`\`\n${close}\n\n${script}\n\n${open}\n\`\`\`\n${close}`
hostileWakes.push(
  { site: 'python', name: 'python: a fence in comments of macros', content: around('{#', '#}') },
  { site: 'python', name: 'python: a span in comments of macros', content: `{# \` #} ${script} {# \` #}` },
  ...(
    [
      ['{% comment %}', '{% endcomment %}'],
      ['{% if x %}', '{% endif %}'],
      ['{::comment}', '{:/comment}'],
    ] as const
  ).map(([open, close]) => ({
    site: 'plain',
    name: `plain: a fence in ${open}`,
    content: around(open, close),
    base: { 'plain/_config.yml': 'a: b\n', 'plain/z.md': `${open}x${close}\n` },
  })),
  { site: 'hugo', name: 'hugo: a fence in shortcodes', content: around('{{< note >}}', '{{< /note >}}') },
)

const beside = (text: string): [string, string] => [`One.\n\n${text}`, `Two.\n\n${text}`]
wake('plain', 'beside a comment', ...beside(`<!-- ${script} -->`), harmlessSleep)
wake('mint', 'beside a comment', ...beside(`{/* ${script} */}`), harmlessSleep)
wake('plain', 'beside escapes', ...beside(`\\${script} and \\${image}`), harmlessSleep)
wake('plain', 'beside code', ...beside(`    ${script}`), harmlessSleep)
wake('plain', 'comment out', '<img src=x onerror="f()">', '<!-- <img src=x onerror="f()"> -->', harmlessSleep)
wake('python', 'beside raw', ...beside('{% raw %}{{ config }}{% endraw %}'), harmlessSleep)
wake(
  'python',
  'code in blocks',
  '{% raw %}x{% endraw %}',
  '{% raw %}\n```html\n<script>shown()</script>\n```\n{% endraw %}',
  harmlessSleep,
)
