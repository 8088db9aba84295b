/** What a directive is to a reader, and whether it has an argument. */
export interface DirectiveKind {
  shows:
    | 'note'
    | 'change'
    | 'code'
    | 'image'
    | 'table'
    | 'titled'
    | 'content'
    | 'object'
    | 'rubric'
    | 'math'
    | 'toctree'
    | 'glossary'
    | 'only'
    | 'include'
    | 'made'
    | 'nothing'
  argument?: 'none'
  /** The title of a note. */
  title?: string
  /** The word that Markdown marks such a note with. */
  mark?: 'NOTE' | 'TIP' | 'IMPORTANT' | 'WARNING' | 'CAUTION'
}

const kinds = new Map<string, DirectiveKind>()

function add(kind: DirectiveKind, names: string): void {
  for (const name of names.split(/\s+/)) kinds.set(name, kind)
}

for (const [name, mark, title] of [
  ['note', 'NOTE', ''],
  ['tip', 'TIP', ''],
  ['hint', 'TIP', 'Hint'],
  ['important', 'IMPORTANT', ''],
  ['warning', 'WARNING', ''],
  ['attention', 'WARNING', 'Attention'],
  ['caution', 'CAUTION', ''],
  ['danger', 'CAUTION', 'Danger'],
  ['error', 'CAUTION', 'Error'],
  ['seealso', 'NOTE', 'See also'],
  ['todo', 'NOTE', 'Todo'],
] as const)
  kinds.set(name, { shows: 'note', argument: 'none', mark, title })
kinds.set('admonition', { shows: 'note', mark: 'NOTE' })
kinds.set('versionadded', { shows: 'change', title: 'Added in version' })
kinds.set('versionchanged', { shows: 'change', title: 'Changed in version' })
kinds.set('deprecated', { shows: 'change', title: 'Deprecated since version' })
kinds.set('versionremoved', { shows: 'change', title: 'Removed in version' })
add({ shows: 'code' }, 'code-block sourcecode code code-tab prompt ipython3 testcode productionlist')
add({ shows: 'code', argument: 'none' }, 'parsed-literal doctest testoutput')
add({ shows: 'image' }, 'image figure thumbnail')
add({ shows: 'table' }, 'list-table csv-table table')
add({ shows: 'math' }, 'math')
add({ shows: 'rubric' }, 'rubric centered')
add(
  { shows: 'titled' },
  'topic sidebar dropdown tab-item tab card grid-item-card details group-tab step collapse',
)
add(
  { shows: 'content', argument: 'none' },
  'epigraph highlights pull-quote compound tab-set tabs hlist container-content steps card-carousel line-block',
)
add({ shows: 'content' }, 'container class cssclass rst-class grid grid-item div span role-content')
add({ shows: 'toctree', argument: 'none' }, 'toctree')
add({ shows: 'glossary', argument: 'none' }, 'glossary')
add({ shows: 'only' }, 'only ifconfig')
add({ shows: 'include' }, 'include literalinclude')
add(
  { shows: 'made' },
  `automodule autoclass autofunction automethod autodata autoexception autoattribute autoproperty autodecorator autosummary
  autoenum argparse click program-output command-output jupyter-execute ipython plot graphviz digraph graph inheritance-diagram uml
  mermaid autoflask http:autoflask exec autopydantic_model autopydantic_settings sqltable openapi automodsumm doxygenclass
  doxygenfunction doxygenfile doxygenstruct bokeh-plot raw`,
)
add(
  { shows: 'nothing' },
  `contents sectnum index meta default-role role highlight currentmodule py:currentmodule sectionauthor
  codeauthor moduleauthor tabularcolumns default-domain program acks-none replace unicode date title target-notes footer header
  testsetup testcleanup module py:module c:namespace cpp:namespace js:module restructuredtext-test-directive`,
)
const objects = `function class method attribute data exception decorator property staticmethod classmethod type macro var enum enumerator
  struct union member namespace concept alias`
for (const domain of ['', 'py:', 'c:', 'cpp:', 'js:', 'rst:'])
  add(
    { shows: 'object' },
    objects
      .split(/\s+/)
      .map((name) => `${domain}${name}`)
      .join(' '),
  )
add(
  { shows: 'object' },
  `object describe envvar option cmdoption confval setting signal command reqmeta rst:directive rst:role rst:directive:option
  http:get http:post http:put http:patch http:delete http:head http:options http:any describe term-object`,
)

export function kindNames(): Iterable<string> {
  return kinds.keys()
}

/** Undefined for a directive that neither docutils nor Sphinx nor a usual extension has. */
export function kindOf(name: string): DirectiveKind | undefined {
  return kinds.get(name.toLowerCase())
}
