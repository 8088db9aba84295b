import { casesOf } from './harmless-case.ts'
import { githubSite, starlightSite, vitepressSite } from './harmless-markdown-sites.ts'
import { docusaurusSite, mintlifySite } from './harmless-mdx-sites.ts'
import { mkdocsSite } from './harmless-other-sites.ts'

// Pages of unusual length, line ends and writing.

const mintlify = casesOf(mintlifySite)
const docusaurus = casesOf(docusaurusSite)
const vitepress = casesOf(vitepressSite)
const starlight = casesOf(starlightSite)
const github = casesOf(githubSite)
const mkdocs = casesOf(mkdocsSite)

const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => `${line(index)}\n`).join('')
const titled = (title: string, text: string): string => `---\ntitle: ${title}\n---\n\n${text}`

const codes = lines(
  600,
  (index) => `| \`E${1000 + index}\` | \`Array<{ id: ${index} }>\` | [E${index}](#e${index}) |`,
)
const errors = titled('Errors', `| Code | Type | Link |\n| --- | --- | --- |\n${codes}`)
mintlify.page('a reference of 600 rows', 'docs/api-reference/codes.mdx', errors)
docusaurus.edit(
  'one row of 600',
  { 'website/docs/errors.md': [['| `E1300` |', '| `E1300` (gone) |']] },
  { 'website/docs/errors.md': errors },
)
const releases = lines(
  200,
  (index) =>
    `## 1.${200 - index}.0\n\n- Fix \`a < ${index}\` ([#${index}](https://github.com/tern-cli/tern/issues/${index}))\n`,
)
github.edit(
  'the newest of 200 releases',
  { 'HISTORY.md': [['## 1.200.0\n', '## 1.201.0\n\n- Names with `{}` are kept\n\n## 1.200.0\n']] },
  { 'HISTORY.md': `# History\n\n${releases}` },
)
starlight.page(
  'hundred sections with asides and code',
  'docs/src/content/docs/reference/all.md',
  titled(
    'All',
    lines(
      100,
      (index) =>
        `## Job ${index}\n\n:::note[About ${index}]\nRuns at ${index % 24}:00.\n:::\n\n\`\`\`toml {1}\n[job.a${index}]\n\`\`\`\n`,
    ),
  ),
)
mkdocs.page(
  'lists in lists',
  'handbook/docs/guide/deep.md',
  `# Deep\n\n${lines(8, (index) => `${'    '.repeat(index)}- level ${index}: \`{${index}}\``)}`,
)
vitepress.page(
  'a line of ten thousand words',
  'docs/guide/words.md',
  `# Words\n\n${'dock and undock, '.repeat(2500)}done.\n`,
)
mintlify.page(
  'a table in one line of HTML',
  'docs/guides/zones.mdx',
  titled(
    'Zones',
    `<table><tbody>${lines(1, () => '<tr><td>A</td><td>1 &ndash; 2</td></tr>'.repeat(150)).trim()}</tbody></table>\n`,
  ),
)

const windows =
  '# Windows\r\n\r\nUse `tern.exe`.\r\n\r\n```bat\r\ntern -n *.jpg\r\n```\r\n\r\nIt is fsat.\r\n'
github.edit(
  'a typo in a file of Windows',
  { 'docs/windows.md': [['fsat', 'fast']] },
  { 'docs/windows.md': windows },
)
mkdocs.edit(
  'a typo behind a byte order mark',
  { 'handbook/docs/bom.md': [['entires', 'entries']] },
  { 'handbook/docs/bom.md': '\ufeff# Entries\r\n\r\nAll entires are kept.\r\n' },
)
docusaurus.edit(
  'a file without a last line end',
  { 'website/docs/last.md': [['the end', 'the very end']] },
  { 'website/docs/last.md': titled('Last', 'This is the end').trimEnd() },
)
github.page(
  'headings with lines under them',
  'docs/old.md',
  'Old\n===\n\nWays to write\n-------------\n\n* * *\n\n+ one\n+ two\n\n1) three\n2) four\n\nA line that  \nbreaks\\\ntwice.\n',
)
github.page(
  'references instead of addresses',
  'docs/references.md',
  '# References\n\n![Before][before] and [rules], [the options][options].\n\n[before]: ../assets/before.png "Before"\n[rules]: rules.md\n[options]: <options.md#options>\n',
)
vitepress.page(
  'tabs, no-break spaces and soft hyphens',
  'docs/guide/spaces.md',
  '# Spaces\n\n\tcode by a tab\n\n10\u00a0kB, a hy\u00adphen, a thin\u2009space and a\u200bbreak.\n',
)
docusaurus.page(
  'entities and escapes',
  'website/docs/entities.md',
  titled(
    'Entities',
    'A &amp; B &lt; C &copy; &#8364; &nbsp; \\*not emphasis\\* \\[not a link\\] 5 \\> 4 \\{x\\}.\n',
  ),
)
starlight.page(
  'an empty section and a title only',
  'docs/src/content/docs/guides/soon.md',
  titled('Soon', '## Later\n\n## Now\n'),
)
mintlify.edit('a page made shorter', {
  'docs/quickstart.mdx': [['<Info>**Prerequisite**: an account with at least one carrier.</Info>\n\n', '']],
})

export const harmlessForms = [
  ...mintlify.cases,
  ...docusaurus.cases,
  ...vitepress.cases,
  ...starlight.cases,
  ...github.cases,
  ...mkdocs.cases,
]
