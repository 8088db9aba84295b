import { casesOf } from './harmless-case.ts'
import { githubSite } from './harmless-markdown-sites.ts'

// New pages and changes of plain Markdown as GitHub shows it.

const github = casesOf(githubSite)

github.page(
  'alerts of every kind',
  'docs/safety.md',
  `
# Safety

> [!WARNING]
> Renaming cannot be undone on FAT.

> [!TIP]
> Use \`-n\` first.

> [!IMPORTANT]
> Files that are **open** are left.

> [!CAUTION]
> \`-r /\` renames everything.
`,
)
github.page(
  'a table in HTML',
  'docs/compare.md',
  `
# Comparison

<table>
  <thead>
    <tr><th>Tool</th><th align="center">Undo</th><th width="120">Speed</th></tr>
  </thead>
  <tbody>
    <tr><td><code>tern</code></td><td align="center">✅</td><td>4 s</td></tr>
    <tr><td><a href="https://www.gnu.org/software/coreutils/">mv</a></td><td align="center">❌</td><td>3 s<br><sub>without rules</sub></td></tr>
  </tbody>
</table>

<p align="right"><a href="#comparison">▲ up</a></p>
`,
)
github.page(
  'details and summaries',
  'docs/questions.md',
  `
# Questions

<details>
<summary><b>Does it follow links?</b></summary>
<br>

No. See \`lstat(2)\`.

\`\`\`sh
tern --follow # since 2.1
\`\`\`

</details>

<details open><summary>Is it fast?</summary>10<sup>5</sup> files in 4 s.</details>
`,
)
github.page(
  'keys, sub and sup',
  'docs/keys.md',
  `
# Keys

| Key | Does |
|-----|------|
| <kbd>Ctrl</kbd>+<kbd>C</kbd> | stops |
| <kbd>↑</kbd> | goes up |

H<sub>2</sub>O, E = mc<sup>2</sup>, <ins>new</ins>, <del>old</del>, <mark>seen</mark>, <abbr title="Hyper Text">HT</abbr>.
`,
)
github.page(
  'a list of tasks',
  'docs/roadmap.md',
  `
# Roadmap

- [x] Rules
  - [x] Digits
- [ ] Undo #212
- [ ] ~~A window~~

Thanks :heart: to everyone :tada:
`,
)
github.page(
  'badges of known hosts',
  'docs/status.md',
  `
# Status

[![npm](https://img.shields.io/npm/dm/tern-cli.svg)](https://www.npmjs.com/package/tern-cli)
![License](https://img.shields.io/github/license/tern-cli/tern?style=flat-square "License")
`,
)
github.page(
  'pictures of the repository',
  'docs/pictures.md',
  `
# Pictures

![Before](../assets/before.png) ![After](../assets/after.png "After")

<img src="../assets/rules.gif" alt="Rules" width="480" height="270" align="left">

<br clear="all">

<a href="../assets/large.png"><img src="/assets/small.png" alt="Small"></a>
`,
)
github.page(
  'a picture with sources',
  'docs/logo.md',
  `
# Logo

<div align="center">
  <picture>
    <source media="(prefers-color-scheme: dark)" srcset="../assets/logo-dark.svg">
    <img src="../assets/logo.svg" alt="Tern" width="120">
  </picture>
</div>
`,
)
github.page(
  'a drawing',
  'docs/design.md',
  `
# Design

\`\`\`mermaid
classDiagram
  Rule <|-- DateRule
  Rule : +apply(name) string
  class DateRule { +format : string }
\`\`\`
`,
)
github.page(
  'formulas',
  'docs/math.md',
  `
# Cost

$$c(n) = \\sum_{i=0}^{n} 2^i < 2^{n+1}$$

Inline: $\`a_{1} < b\`$ and $x^2$.
`,
)
github.page(
  'footnotes and comments',
  'docs/notes.md',
  `
<!-- markdownlint-disable MD041 -->

Tern is a bird[^bird].

[^bird]: *Sterna*, see [the list][list].

<!-- TODO: a photo -->

[list]: https://en.wikipedia.org/wiki/Tern 'Tern'
`,
)
github.page(
  'a guide for contributors',
  'docs/contributing.md',
  `
# Contributing

1. Fork, then clone:

   \`\`\`console
   $ git clone git@github.com:YOUR_NAME/tern.git
   $ cd tern && npm ci
   \`\`\`

2. Run \`npm test -- --watch\`.
3. Mention \`@tern-cli/maintainers\` in code only.
`,
)
github.page(
  'a changelog of long lines',
  'docs/history.md',
  `
# History

## [1.0.0](https://github.com/tern-cli/tern/compare/v0.9.0...v1.0.0) (2024-05-01)

### ⚠ BREAKING CHANGES

* **rules:** \`--date\` is \`--rule=date\` now (#77)

### Features

* **cli:** colours ([8ac1f02](https://github.com/tern-cli/tern/commit/8ac1f02)), closes [#70](https://github.com/tern-cli/tern/issues/70)
`,
)
github.page(
  'links and anchors',
  'docs/links.md',
  `
# Links

<a name="top"></a>

[Rules](rules.md), [options](./options.md#options "Options"), [up](#top), <https://nodejs.org/>, [mail](mailto:tern@example.org), [file](../src/rename.ts#L10-L20), [space](<my file.md>).
`,
)
github.edit('a typo behind an emoji', {
  'docs/options.md': [['sensitve', 'sensitive']],
})
github.edit('a task done', {
  'docs/options.md': [['- [ ] Undo', '- [x] Undo']],
})
github.edit('a key more', {
  'docs/options.md': [
    ['Press <kbd>q</kbd> to leave.<br>', 'Press <kbd>q</kbd> or <kbd>Ctrl</kbd>+<kbd>C</kbd> to leave.<br>'],
  ],
})
github.edit('an option more in a table', {
  'README.md': [
    [
      '| `-r`   | all folders |',
      `
| \`-r\`   | all folders |
| \`-e <glob>\` | only files like \`*.{jpg,png}\` |`,
    ],
  ],
})
github.edit('a badge of a known host', {
  'README.md': [
    [
      '  <a href="LICENSE"><img',
      `
  <a href="https://www.npmjs.com/package/tern-cli"><img src="https://img.shields.io/npm/types/tern-cli" alt="types"></a>
  <a href="LICENSE"><img`,
    ],
  ],
})
github.edit('a badge taken away', {
  'README.md': [
    [
      '  <a href="LICENSE"><img src="https://img.shields.io/badge/license-MIT-blue.svg" alt="License"></a>',
      '',
    ],
  ],
})
github.edit('a wider logo', {
  'README.md': [['alt="Tern" width="240"', 'alt="Tern logo" width="320"']],
})
github.edit('details opened up', {
  'README.md': [
    [
      `
<details>
<summary>All options</summary>

See [docs/options.md](docs/options.md).

</details>`,
      `
## All options

See [docs/options.md](docs/options.md).`,
    ],
  ],
})
github.edit('an alert of another kind', {
  'README.md': [['> [!NOTE]', '> [!IMPORTANT]']],
})
github.edit('another picture of the same host', {
  'README.md': [['main/assets/cast.gif', 'main/assets/cast-2.gif']],
})
github.edit('a section more with code', {
  'README.md': [
    [
      '## Usage',
      `
## Usage

\`\`\`console
$ tern -n 's/(\\d+)/<$1>/' *.jpg
IMG_1.jpg -> IMG_<1>.jpg
\`\`\``,
    ],
  ],
})
github.edit('a section taken away', {
  'README.md': [
    [
      `
## Install

\`\`\`sh
npm install --global tern-cli
\`\`\``,
      '',
    ],
  ],
})
github.edit('a rule beside a comment', {
  'docs/rules.md': [['1. Digits', '1. Digits, as `007`']],
})
github.edit('a comment taken away', {
  'docs/rules.md': [['<!-- The order matters: longest first. -->', 'The order matters: longest first.']],
})
github.edit('a release in the changelog', {
  'CHANGELOG.md': [
    [
      '## [2.1.0] - 2026-02-11',
      `
## [2.2.0] - 2026-03-20

### Added

- \`--undo\` ([#220](https://github.com/tern-cli/tern/pull/220)) by @miraholt

### Security

- Names with \`../\` are refused

## [2.1.0] - 2026-02-11`,
    ],
  ],
})
github.edit('an address of the changelog', {
  'CHANGELOG.md': [
    [
      '[2.1.0]: https',
      `
[2.2.0]: https://github.com/tern-cli/tern/compare/v2.1.0...v2.2.0
[2.1.0]: https`,
    ],
  ],
})
github.move('a page that the front page links to', 'docs/options.md', 'docs/reference/options.md')
github.remove('a page with comments', 'docs/rules.md')

export const harmlessGithub = [...github.cases]
