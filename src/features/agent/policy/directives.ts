import type { ActivePart } from './active-part.ts'
import { firstLine, shown, withLines } from './active-part.ts'

type Part = Omit<ActivePart, 'line'> & { at: number }

/** What only formats the text in it. */
const plain = new Set(
  `note warning tip important hint caution attention danger error seealso admonition abstract info success question failure
  bug example quote dropdown details tab-set tab-item tabs tab grid grid-item grid-item-card card card-carousel code code-block
  sourcecode highlight math mermaid toctree list-table table csv-table figure image versionadded versionchanged versionremoved
  deprecated glossary epigraph rubric contents topic sidebar margin aside container class option index centered hlist
  productionlist only tags button div span cssclass default-role role_ parsed-literal line-block pull-quote compound
  highlights header footer replace unicode date confval envvar describe function method attribute data module currentmodule
  exercise solution proof definition theorem lemma prf:theorem prf:proof py:function py:class py:method py:attribute py:data
  py:exception py:module py:currentmodule js:function c:function cpp:function cpp:class rst:directive rst:role program
  http:get http:post http:put http:patch http:delete math-block keywords desc blockquote bibliography footbibliography
  sectionauthor codeauthor acks tabularcolumns rst-class nav-tab`
    .split(/\s+/)
    .filter((name) => name !== ''),
)
/** What runs something, takes a file in or writes HTML as it is: only the very same is known. */
const running =
  /^(?:=|raw|include|literalinclude|eval|exec|run|program|command|plot|ipython|jupyter|thebe|code-cell|python|r$|julia|bash|sh$|shell|sql|ojs|js$|dot$|graphviz|digraph|uml|plantuml|kroki|doctest|test|auto|download|iframe|html|embed|video|youtube|role$|meta$|exercise-exec)/i

/** A directive of MyST, Quarto or reStructuredText, by its name; `content` is its argument and what is in it. */
export function directivePart(name: string, content: string, at: number): Part[] {
  const isRunning = running.test(name)
  if (!isRunning && (plain.has(name.toLowerCase()) || /^\d/.test(name))) return []
  return [
    {
      key: isRunning ? `directive ${name} ${withLines(content)}` : `directive ${name}`,
      what: `a directive that ${isRunning ? 'runs or takes in something' : 'no page has'}: ${shown(`${name} ${content}`)}`,
      search: isRunning ? firstLine(`${name} ${content}`) : name,
      at,
    },
  ]
}
