import type { LanguageInput } from 'shiki/core'

interface Language {
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
    svg: { name: 'xml', load: () => import('shiki/langs/xml.mjs') },
    xml: { name: 'xml', load: () => import('shiki/langs/xml.mjs') },
    vue: { name: 'vue', load: () => import('shiki/langs/vue.mjs') },
    py: { name: 'python', load: () => import('shiki/langs/python.mjs') },
    sh: shell,
    rst: { name: 'rst', load: () => import('shiki/langs/rst.mjs') },
    adoc: { name: 'asciidoc', load: () => import('shiki/langs/asciidoc.mjs') },
  } satisfies Record<string, Language>),
)

/** Undefined for files that are shown without colours. */
export function languageOf(path: string): Language | undefined {
  return byExtension.get(/\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '')
}
