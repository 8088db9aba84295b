import { casesOf } from './harmless-case.ts'
import { macrosSite, mkdocsSite } from './harmless-other-sites.ts'

// Changes of MkDocs sites, also around scripts, frames, modules and macros that are there.

const mkdocs = casesOf(mkdocsSite)
const macros = casesOf(macrosSite)

mkdocs.edit('another title of an admonition', {
  'handbook/docs/guide/install.md': [
    [
      `
!!! note "Python"

    Ledgerly needs Python 3.11.`,
      `
!!! warning "Python 3.12"

    Ledgerly needs Python 3.12, or \`pypy\` 7.3.`,
    ],
  ],
})
mkdocs.edit('one more tab', {
  'handbook/docs/guide/install.md': [
    [
      '=== "Docker"',
      `
=== "uv"

    \`\`\` sh
    uv tool install ledgerly
    \`\`\`

=== "Docker"`,
    ],
  ],
})
mkdocs.edit('a question taken away', {
  'handbook/docs/guide/install.md': [
    [
      `
??? question "Why is there no installer?"

    Nobody asked for one.`,
      '',
    ],
  ],
})
mkdocs.edit('other keys', {
  'handbook/docs/guide/install.md': [['Press ++ctrl+c++ to stop.', 'Press ++ctrl+c++ or ++esc++ to stop.']],
})
mkdocs.edit('a shared text moved up', {
  'handbook/docs/guide/install.md': [
    ['--8<-- "includes/support.md"', ''],
    [
      '# Install',
      `
# Install

--8<-- "includes/support.md"`,
    ],
  ],
})
mkdocs.edit('text above a script', {
  'handbook/docs/guide/import.md': [
    ['The importer reads CSV of any bank.', 'The importer reads CSV and MT940 of any bank.'],
  ],
})
mkdocs.edit('text below a script', {
  'handbook/docs/guide/import.md': [
    ['Choose the columns with the form above.', 'Choose the columns with the form above, then save.'],
  ],
})
mkdocs.edit('a script taken away', {
  'handbook/docs/guide/import.md': [
    [
      `
<script src="/javascripts/columns.js"></script>

Choose the columns with the form above.`,
      'Choose the columns in `import.yaml`.',
    ],
  ],
})
mkdocs.edit('a frame moved down', {
  'handbook/docs/guide/import.md': [
    ['<iframe src="https://www.youtube-nocookie.com/embed/imp0rt" title="Import"></iframe>', ''],
    [
      'Choose the columns with the form above.',
      `
Choose the columns with the form above.

<iframe src="https://www.youtube-nocookie.com/embed/imp0rt" title="Import"></iframe>`,
    ],
  ],
})
mkdocs.edit(
  'a script moved to another page',
  {
    'handbook/docs/guide/import.md': [
      [
        `
<script src="/javascripts/columns.js"></script>

Choose the columns with the form above.`,
        'See [the columns](columns.md).',
      ],
    ],
    'handbook/docs/guide/columns.md': [
      [
        'Choose the columns here.',
        `
<script src="/javascripts/columns.js"></script>

Choose the columns with the form above.`,
      ],
    ],
  },
  {
    'handbook/docs/guide/columns.md': `
# Columns

Choose the columns here.
`,
  },
)
mkdocs.edit('an annotation more', {
  'handbook/docs/guide/import.md': [
    [
      `
  amount: 3
\`\`\`

1.  The first column is \`0\`.`,
      `
  amount: 3 # (2)!
\`\`\`

1.  The first column is \`0\`.
2.  Negative amounts are \`-3.20\` or \`(3.20)\`.`,
    ],
  ],
})
mkdocs.edit('other lines highlighted', {
  'handbook/docs/guide/import.md': [['hl_lines="2 3" linenums="1"', 'hl_lines="2-3"']],
})
mkdocs.edit('a wider picture', {
  'handbook/docs/guide/import.md': [['{ width="400" loading=lazy }', '{ width="640" loading=lazy .shadow }']],
})
mkdocs.edit('a typo in a definition beside a module', {
  'handbook/docs/reference/cli.md': [['acounts', 'accounts']],
})
mkdocs.edit("an option of a module's documentation", {
  'handbook/docs/reference/cli.md': [['      show_source: false', '      show_source: true']],
})
mkdocs.edit('an abbreviation more', {
  'handbook/docs/reference/cli.md': [
    [
      '*[HTML]: Hyper Text Markup Language',
      `
*[HTML]: Hyper Text Markup Language
*[PDF]: Portable Document Format`,
    ],
  ],
})
mkdocs.edit('a card more', {
  'handbook/docs/index.md': [
    [
      '    [:octicons-arrow-right-24: Install](guide/install.md)',
      `
    [:octicons-arrow-right-24: Install](guide/install.md)

-   :material-scale-balance:{ .lg .middle } __Balanced__

    ---

    Every entry has two sides.`,
    ],
  ],
})
mkdocs.edit('a button less', {
  'handbook/docs/index.md': [
    ['[:fontawesome-brands-github: Source](https://github.com/ledgerly/ledgerly){ .md-button }', ''],
  ],
})
mkdocs.edit('front matter of the theme', {
  'handbook/docs/index.md': [
    [
      '  - navigation',
      `
  - navigation
  - toc
description: Accounting in plain text.`,
    ],
  ],
})
mkdocs.edit('a page in the navigation', {
  'handbook/mkdocs.yml': [
    [
      '      - guide/import.md',
      `
      - guide/import.md
      - Columns: guide/columns.md`,
    ],
  ],
})
mkdocs.edit('a section in the navigation', {
  'handbook/mkdocs.yml': [
    [
      '  - Reference: reference/cli.md',
      `
  - Reference:
      - reference/cli.md
      - Source: https://github.com/ledgerly/ledgerly`,
    ],
  ],
})
mkdocs.edit('a redirect', {
  'handbook/mkdocs.yml': [
    [
      '        install.md: guide/install.md',
      `
        install.md: guide/install.md
        cli.md: reference/cli.md`,
    ],
  ],
})
mkdocs.edit('the shared text', {
  'handbook/includes/support.md': [
    ['Write to the mailing list', 'Write to the [mailing list](mailto:ledgerly@lists.example)'],
  ],
})
mkdocs.move('a page with a module', 'handbook/docs/reference/cli.md', 'handbook/docs/reference/commands.md')
macros.edit('a typo beside a loop', {
  'manual/docs/quotas.md': [['satelites', 'satellites']],
})
macros.edit('text beside a raw block', {
  'manual/docs/quotas.md': [['for the name of the orbit.', 'for the name of an orbit.']],
})
macros.edit('a variable once more', {
  'manual/docs/index.md': [
    [
      'This is version {{ version }} of the manual.',
      'This is the manual of Orbitals {{ version }}. Older ones are in the [archive](https://orbitals.example/{{ version }}).',
    ],
  ],
})
macros.edit('a part moved up', {
  'manual/docs/index.md': [
    [
      `

{% include "footer.md" %}`,
      '',
    ],
    [
      '{{ badge("stable") }}',
      `
{% include "footer.md" %}

{{ badge("stable") }}`,
    ],
  ],
})
macros.edit('a loop taken away', {
  'manual/docs/quotas.md': [
    [
      `
{% for name in quotas %}
- {{ name }}
{% endfor %}`,
      `
- low
- high`,
    ],
  ],
})
macros.edit("a part's text", {
  'manual/docs/footer.md': [['free software.', 'free software under the MIT licence.']],
})

export const harmlessMkdocsChanges = [...mkdocs.cases, ...macros.cases]
