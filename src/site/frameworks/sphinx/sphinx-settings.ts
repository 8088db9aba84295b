import type { PageDialect } from '../../pages/dialect.ts'

const maxValues = 500

/** What `conf.py` says of the texts of pages, read as data: names of substitutions, their signs, and the role without a name. */
export function sphinxSettings(python: string): Partial<PageDialect> {
  const [, open, close] =
    /^myst_sub_delimiters\s*=\s*[([]\s*["']([^"'\s]{1,5})["']\s*,\s*["']([^"'\s]{1,5})["']/m.exec(python) ??
    []
  const [, role] = /^default_role\s*=\s*["']([\w:.-]{1,60})["']/m.exec(python) ?? []
  const [, inProlog] = /\.\.\s{1,10}default-role\s?::\s{1,10}([\w:.-]{1,60})/.exec(python) ?? []
  const values = keysOf(python, 'myst_substitutions')
  const defaultRole = inProlog ?? role
  return {
    ...(values.length > 0 && { values }),
    ...(open !== undefined && close !== undefined && { signs: signsOf(open, close) }),
    ...(defaultRole !== undefined && { defaultRole }),
  }
}

/** Extensions that define no labels and find none in other projects. */
const plainExtensions =
  /^(?:myst_parser|sphinx_(?:copybutton|design|inline_tabs|togglebutton|favicon|sitemap)|sphinxext\.(?:opengraph|rediraffe)|notfound\.extension|sphinxcontrib\.mermaid|sphinx\.ext\.(?:githubpages|todo|mathjax|extlinks|viewcode))$/

/** Whether no extension may define labels that pages name; `extensions` as the configuration lists them. */
export function hasPlainExtensions(python: string, extensions: readonly string[]): boolean {
  return (
    extensions.length > 0 &&
    extensions.every((name) => plainExtensions.test(name)) &&
    !/\bintersphinx_mapping\b|\bextensions\s{0,5}(?:\+=|\.)/.test(python)
  )
}

/** A sign is written twice around a name. */
function signsOf(open: string, close: string): [own: string, usual: string][] {
  return [
    [open.repeat(2), '{{'],
    [close.repeat(2), '}}'],
  ]
}

/** The keys of a dictionary that stands in Python as it is. */
function keysOf(python: string, name: string): string[] {
  const start = new RegExp(`^${name}\\s{0,20}=\\s{0,20}\\{`, 'm').exec(python)
  if (start === null) return []
  const keys: string[] = []
  const token = /(["'])((?:(?!\1)[^\\\n]|\\.){0,500})\1(\s{0,20}:)?|[{}[\]()]|#[^\n]*/g
  token.lastIndex = start.index + start[0].length
  for (let depth = 1, match = token.exec(python); match !== null && depth > 0; match = token.exec(python)) {
    const [sign, quote, key = '', colon] = match
    if (quote === undefined) depth += /^[{[(]/.test(sign) ? 1 : /^[}\])]/.test(sign) ? -1 : 0
    else if (colon !== undefined && depth === 1) keys.push(key)
    if (keys.length >= maxValues) break
  }
  return keys.filter((key) => /^[A-Za-z_]\w{0,99}$/.test(key))
}
