import { casesOf } from './harmless-case.ts'
import { githubSite, vitepressSite } from './harmless-markdown-sites.ts'
import { docusaurusSite, mintlifySite } from './harmless-mdx-sites.ts'
import { sphinxSite } from './harmless-other-sites.ts'

// Formulas, pictures, scripts and files that do nothing new: each says why a team would want it to pass.

const mintlify = casesOf(mintlifySite)
const docusaurus = casesOf(docusaurusSite)
const vitepress = casesOf(vitepressSite)
const sphinx = casesOf(sphinxSite)
const github = casesOf(githubSite)

// Mintlify reads LaTeX between dollars: the braces in it are no expressions.
mintlify.page(
  'a formula with braces',
  'docs/guides/volume.mdx',
  `
---
title: Volume weight
---

The volume weight is $\\frac{l \\cdot w \\cdot h}{5000}$, so

$$
w_{v} = \\frac{40 \\cdot 30 \\cdot 20}{5000} = 4.8
$$
`,
)
// The site has remark-math, so that the braces between dollars are no expressions; its blog has formulas already.
docusaurus.page(
  'formulas and footnotes',
  'website/docs/guides/costs.md',
  `
---
title: Costs
---

Cutting costs $c = \\sum_{i=1}^{n} s_i$ reads[^reads], and merging

$$
m(n) = O(n \\log_2 n)
$$

[^reads]: One read is 4 KiB.
`,
)
// It is how the documentation of Docusaurus itself names a picture in JSX: the path is written out and leads to a file of the site.
docusaurus.page(
  'a picture by the default of its module',
  'website/docs/guides/merging.mdx',
  `
---
title: Merging
---

<img src={require('./img/merge.png').default} alt="Merge" width="400" />
`,
)
// The script stays what it is: the tool only corrects the relative path of the file that it imported before.
vitepress.move(
  'a page with a script, to another folder',
  'docs/guide/plugins.md',
  'docs/reference/plugins.md',
)
// The file is taken in already; only fewer lines of it are shown.
sphinx.edit('other lines of a file', {
  'sphinx/install.rst': [['   :lines: 1-3', '   :lines: 1-2']],
})
// To every reader of Markdown a paragraph that is indented by four is code, as in a fence, where it is let through.
github.page(
  'markup in code that is indented',
  'docs/embed.md',
  `
# Embed

Put this into your page:

    <script src="tern.js"></script>

Then load it.
`,
)

// As commits of Nuxt, Vite, Redux and Upstash have them.
github.page(
  'a choice of words in a table',
  'docs/commands.md',
  `
| Argument | Meaning |
| --- | --- |
| \`COMMAND\` | Command to run (options: <enable\\|disable>) |
`,
)
github.page(
  'code that is not closed, and a tag in a description',
  'docs/profile.md',
  `
Use the adapter.updateOne\`method. It takes \`{id, changes}\`, where \`changes\` is an object:

\`\`\`ts title="posts.ts
export const update = (id) => id
\`\`\`

![Capture of \`<UserPage>\`](../assets/capture.png)
`,
)
github.page(
  'a component of the site that renders the pages',
  'docs/thunks.md',
  `
<DetailedExplanation title="Writing thunks">

It takes two of them.

</DetailedExplanation>
`,
  { 'docs/slices.md': `<DetailedExplanation title="Slices">\n\nOne of them.\n\n</DetailedExplanation>\n` },
)
vitepress.page(
  'a type with links, and titles with code',
  'docs/guide/types.md',
  `
# Types

- **Type:** <code>Omit<<a href="https://wharf.example/o">Options</a>, 'input'> & { output?: Omit<<a href="https://wharf.example/p">Output</a>, 'dir' | 'banner'> }</code>

:::warning Ignoring \`.env\` files
They are not read.
:::
`,
)
mintlify.page(
  'the type of a field',
  'docs/guides/states.mdx',
  `
---
title: States
---

<ResponseField name="states" type="Record<string, string>">
  From message to state.
</ResponseField>
`,
)

export const harmlessReuse = [
  ...mintlify.cases,
  ...docusaurus.cases,
  ...vitepress.cases,
  ...sphinx.cases,
  ...github.cases,
]
