import type { LanguageInput } from 'shiki/core'

export interface Language {
  name: string
  load: LanguageInput
  /** Languages within it: front matter, and the usual ones of examples. */
  others?: readonly Language[]
}

const javascript: Language = { name: 'javascript', load: () => import('shiki/langs/javascript.mjs') }
const typescript: Language = { name: 'typescript', load: () => import('shiki/langs/typescript.mjs') }
const yaml: Language = { name: 'yaml', load: () => import('shiki/langs/yaml.mjs') }
const html: Language = { name: 'html', load: () => import('shiki/langs/html.mjs') }

const json: Language = { name: 'json', load: () => import('shiki/langs/json.mjs') }
const shell: Language = { name: 'shellscript', load: () => import('shiki/langs/shellscript.mjs') }
const others = [yaml, json, shell, javascript]
const markdown: Language = {
  name: 'markdown',
  load: () => import('shiki/langs/markdown.mjs'),
  others,
}

const xml: Language = { name: 'xml', load: () => import('shiki/langs/xml.mjs') }

/** The languages that files of documentation are written in, by their extensions. */
const byExtension: ReadonlyMap<string, Language> = new Map(
  Object.entries({
    md: markdown,
    markdown,
    mdx: { name: 'mdx', load: () => import('shiki/langs/mdx.mjs'), others },
    json,
    jsonc: { name: 'jsonc', load: () => import('shiki/langs/jsonc.mjs') },
    yaml,
    yml: yaml,
    toml: { name: 'toml', load: () => import('shiki/langs/toml.mjs') },
    js: javascript,
    mjs: javascript,
    cjs: javascript,
    jsx: { name: 'jsx', load: () => import('shiki/langs/jsx.mjs') },
    ts: typescript,
    mts: typescript,
    cts: typescript,
    tsx: { name: 'tsx', load: () => import('shiki/langs/tsx.mjs') },
    css: { name: 'css', load: () => import('shiki/langs/css.mjs') },
    html,
    htm: html,
    svg: xml,
    xml,
    vue: { name: 'vue', load: () => import('shiki/langs/vue.mjs') },
    py: { name: 'python', load: () => import('shiki/langs/python.mjs') },
    sh: shell,
    rst: { name: 'rst', load: () => import('shiki/langs/rst.mjs') },
    adoc: { name: 'asciidoc', load: () => import('shiki/langs/asciidoc.mjs') },
    go: { name: 'go', load: () => import('shiki/langs/go.mjs') },
    rs: { name: 'rust', load: () => import('shiki/langs/rust.mjs') },
    java: { name: 'java', load: () => import('shiki/langs/java.mjs') },
    rb: { name: 'ruby', load: () => import('shiki/langs/ruby.mjs') },
    php: { name: 'php', load: () => import('shiki/langs/php.mjs') },
    cs: { name: 'csharp', load: () => import('shiki/langs/csharp.mjs') },
    sql: { name: 'sql', load: () => import('shiki/langs/sql.mjs') },
    diff: { name: 'diff', load: () => import('shiki/langs/diff.mjs') },
    ini: { name: 'ini', load: () => import('shiki/langs/ini.mjs') },
    dockerfile: { name: 'docker', load: () => import('shiki/langs/docker.mjs') },
  } satisfies Record<string, Language>),
)

/** Other words that are written behind a fence, and the extension that they stand for. */
const words: ReadonlyMap<string, string> = new Map(
  Object.entries({
    js: 'javascript node',
    ts: 'typescript',
    json: 'json5',
    sh: 'bash shell zsh console shellscript terminal',
    py: 'python python3',
    go: 'golang',
    rs: 'rust',
    rb: 'ruby',
    cs: 'csharp c#',
    ini: 'properties env dotenv',
    dockerfile: 'docker',
    adoc: 'asciidoc',
    diff: 'patch',
  }).flatMap(([extension, names]) => names.split(' ').map((name) => [name, extension] as const)),
)

/** Undefined for files that are shown without colours. */
export function languageOfFile(path: string): Language | undefined {
  return byExtension.get(/\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '')
}

/** The language that a block of code names. */
export function languageNamed(word: string): Language | undefined {
  const name = word.toLowerCase()
  return byExtension.get(words.get(name) ?? name)
}
