/** The repository that attackers work on: a site of every kind, each in its own folder, and what they would like to reach. */
export const files: Readonly<Record<string, string>> = {
  '.github/workflows/ci.yml': 'on: push\n',
  '.gitlab-ci.yml': 'build: {}\n',
  '.gitattributes': '* text\n',
  '.npmrc': 'registry=https://registry.npmjs.org\n',
  'AGENTS.md': '# Rules\n\nBe kind.\n',
  'package.json': '{"scripts": {"build": "true"}}\n',
  'package-lock.json': '{}\n',
  'secrets.md': '# Not documentation\n',
  'src/app.ts': 'export {}\n',
  'snippets/note.md': 'A note.\n',

  'mint/docs.json': '{"navigation": {"pages": ["index", "guide", "shared", "vault"]}}\n',
  'mint/index.mdx': '---\ntitle: Home\n---\n\nWelcome to the docs.\n',
  'mint/guide.mdx':
    '---\ntitle: Guide\n---\n\nimport Note from "/snippets/note.mdx"\n\n<Note />\n\n![Logo](https://images.acme.com/logo.png)\n\nSee [the site](https://acme.com) and `<script>`.\n',
  'mint/shared.mdx': '---\ntitle: Shared\n---\n\n```html\n<script>alert("shown")</script>\n```\n\nText.\n',
  'mint/vault.mdx': '---\ntitle: Vault\ndocwright: false\n---\n\nHands off.\n',
  'mint/closed.mdx': '---\ntitle: Closed\nai: false\n---\n\nHands off.\n',
  'mint/snippets/note.mdx': 'A note.\n',
  'mint/openapi.json': '{"openapi": "3.1.0", "info": {"title": "A", "version": "1"}, "paths": {}}\n',
  'mint/long.mdx': `---\ntitle: Long\n---\n\n${Array.from({ length: 120 }, (_, index) => `Line ${index} of a long page that people wrote.\n`).join('\n')}`,

  ...Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [
      `mint/many/p${index}.mdx`,
      `---\ntitle: Page ${index}\n---\n\nText of page ${index}.\n`,
    ]),
  ),

  'press/.vitepress/config.ts': 'export default { title: "Press" }\n',
  'press/index.md': '# Press\n\nWelcome to the docs.\n',
  'press/guide.md': '# Guide\n\n`{{ text }}`\n\n```js\nconst a = 1\n```\n',

  'python/mkdocs.yml':
    'site_name: Python\ndocs_dir: docs\nnav:\n  - index.md\n  - guide.md\nplugins:\n  - search\n  - macros\nmarkdown_extensions:\n  - attr_list\n  - pymdownx.snippets\n',
  'python/docs/index.md': '# Python\n\nWelcome to the docs.\n',
  'python/docs/guide.md': '# Guide\n\n--8<-- "snippets/note.md"\n\nText.\n',

  'saurus/docusaurus.config.js': 'module.exports = { title: "S", presets: [["classic", {}]] }\n',
  'saurus/docs/index.md': '# Saurus\n\nWelcome to the docs.\n',
  'saurus/docs/guide.md': '# Guide\n\nText.\n',

  'plain/index.md': '# Plain\n\nWelcome to the docs.\n',
  'plain/guide.md': '# Guide\n\nText.\n',
}

/** Links in it, by path. */
export const links: Readonly<Record<string, string>> = {
  'mint/link.mdx': '../package.json',
  'mint/outside': '/etc',
  'mint/up': '..',
}
