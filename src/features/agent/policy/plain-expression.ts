import { type SyntaxNode, isNode, nodesIn } from './parse-program.ts'
import { writesHtml } from './tag-parts.ts'

/** A text in an expression, with the name of the attribute or field that it is given to. */
interface Text {
  name: string
  text: string
}

export interface Judgement {
  /** It only names what is there: literals, lists, objects, known names and elements of these. */
  isPlain: boolean
  /** Every name that is read in it, with that of the attribute or field that it is given to. */
  reads: { name: string; field: string }[]
  texts: Text[]
}

const maxDepth = 100
const dangerousProperty = /^(?:constructor|prototype|__proto__|__defineGetter__|__lookupGetter__)$/
const pictureFile = /^[^!?]+\.(?:png|jpe?g|gif|svg|webp|avif|mp4|webm|pdf)$/i
/** Names that lead out of the page, beside what every JavaScript engine has. */
const environment =
  /^(?:process|require|module|exports|global|self|window|document|location|navigator|history|parent|top|frames|opener|localStorage|sessionStorage|indexedDB|caches|cookieStore|Deno|Bun|Buffer|__\w+|alert|confirm|prompt|Image|XMLHttpRequest|Worker|SharedWorker|EventSource|WebSocket|arguments|this)$/

export interface KnownNames {
  /** Names that the page had before or binds itself. */
  knows: (name: string) => boolean
  /** Whether all that a name stands for has been judged: its fields may become attributes. */
  isJudged: (name: string) => boolean
}

/** What an expression does; `name` is that of the attribute or field it is given to. */
export function judgeExpression(node: SyntaxNode, known: KnownNames, name = ''): Judgement {
  const judgement: Judgement = { isPlain: true, reads: [], texts: [] }
  judgement.isPlain = isPlain(node, { ...known, judgement, name, depth: 0 })
  return judgement
}

/** Whether what is spread into an element can be told: an object written out, or a name for one. */
export function isPlainSpread(node: unknown, { isJudged }: KnownNames): boolean {
  if (!isNode(node)) return false
  return (
    node.type === 'ObjectExpression' ||
    (node.type === 'Identifier' && (node['name'] === 'props' || isJudged(String(node['name']))))
  )
}

/** A name that runs or writes HTML when it is an attribute of an element. */
function isActiveName(name: string): boolean {
  return writesHtml.test(name) || handler.test(name)
}

const handler =
  /^on(?:[A-Z]|(?:abort|after|animation|aux|before|begin|blur|cancel|canplay|change|click|close|context|copy|cut|dbl|drag|drop|duration|empt|end|error|focus|form|fullscreen|hash|input|invalid|key|load|message|mouse|page|paste|pause|play|pointer|pop|progress|rate|repeat|reset|resize|scroll|search|seek|select|show|slot|stalled|storage|submit|suspend|time|toggle|touch|transition|unload|volume|waiting|webkit|wheel))/

interface Context extends KnownNames {
  judgement: Judgement
  /** Of the attribute or field around it. */
  name: string
  depth: number
}

function isPlain(node: SyntaxNode, outer: Context): boolean {
  const context = { ...outer, depth: outer.depth + 1 }
  if (context.depth > maxDepth) return false
  const all = (field: string) => nodesIn(node[field]).every((one) => isPlain(one, context))
  const one = (field: string, name = context.name) => {
    const child = node[field]
    return !isNode(child) || isPlain(child, { ...context, name })
  }
  switch (node.type) {
    case 'Literal':
      note(context, node['value'])
      return true
    case 'TemplateLiteral':
      for (const part of nodesIn(node['quasis'])) note(context, cookedOf(part))
      return nodesIn(node['expressions']).length === 0
    case 'Identifier':
      return isPlainName(String(node['name']), context, false)
    case 'MemberExpression':
      return isPlainMember(node, context)
    case 'ChainExpression':
      return one('expression')
    case 'ArrayExpression':
      return all('elements')
    case 'ObjectExpression':
      return all('properties')
    case 'Property': {
      const key = node['key']
      if (node['computed'] === true || node['kind'] !== 'init' || node['method'] === true) return false
      const name = isNode(key) ? String(key['name'] ?? key['value']) : ''
      return !isActiveName(name) && one('value', name)
    }
    case 'JSXSpreadAttribute':
      return isPlainSpread(node['argument'], context) && one('argument')
    case 'SpreadElement':
    case 'JSXSpreadChild':
      return one('argument')
    case 'UnaryExpression':
      return node['operator'] !== 'delete' && one('argument')
    case 'BinaryExpression':
      // Texts that are put together cannot be judged.
      return node['operator'] !== '+' && node['operator'] !== 'in' && one('left') && one('right')
    case 'LogicalExpression':
      return one('left') && one('right')
    case 'ConditionalExpression':
      return one('test') && one('consequent') && one('alternate')
    case 'CallExpression':
      return isFileOfSite(node, context)
    case 'JSXElement':
    case 'JSXFragment':
      return one('openingElement') && all('children')
    case 'JSXOpeningElement':
      return all('attributes')
    case 'JSXAttribute': {
      const name = isNode(node['name']) ? String(node['name']['name']) : ''
      return !/^on[a-z]{3}/i.test(name) && one('value', name)
    }
    case 'JSXExpressionContainer':
      return one('expression')
    case 'JSXText':
    case 'JSXEmptyExpression':
      return true
    default:
      return false
  }
}

function isPlainName(name: string, { knows, judgement, name: field }: Context, isRoot: boolean): boolean {
  judgement.reads.push({ name, field })
  if (name === 'undefined' || name === 'NaN' || name === 'Infinity') return true
  if (knows(name)) return true
  // A name alone reads nothing but itself, unless it is one of the engine's.
  return !isRoot && !environment.test(name) && !(name in globalThis)
}

function isPlainMember(node: SyntaxNode, context: Context): boolean {
  const { object, property } = node
  if (!isNode(object) || !isNode(property)) return false
  const name = String(property['name'] ?? property['value'])
  if (dangerousProperty.test(name)) return false
  if (node['computed'] === true && property.type !== 'Literal') return false
  if (object.type === 'Identifier') return isPlainName(String(object['name']), context, true)
  const inner = { ...context, depth: context.depth + 1 }
  return object.type === 'MemberExpression' && inner.depth < maxDepth && isPlainMember(object, inner)
}

/** `require('…/x.png')` and `useBaseUrl('/x')`, by which Docusaurus pages name their files. */
function isFileOfSite(node: SyntaxNode, context: Context): boolean {
  const { callee } = node
  const [argument, ...more] = nodesIn(node['arguments'])
  if (!isNode(callee) || callee.type !== 'Identifier' || more.length > 0) return false
  const file = argument?.type === 'Literal' ? argument['value'] : undefined
  // Of the site: no hidden file, no other host and none that only a folder far above could hold.
  if (typeof file !== 'string' || /(?:^|\/)\.[^./]|^[a-z]+:|^\/\/|\\|(?:\.\.\/){5}/i.test(file)) return false
  note(context, file)
  if (callee['name'] === 'useBaseUrl') return true
  return callee['name'] === 'require' && pictureFile.test(file)
}

function note({ judgement, name }: Context, value: unknown): void {
  if (typeof value === 'string') judgement.texts.push({ name, text: value })
}

function cookedOf(part: SyntaxNode): unknown {
  const value: unknown = part['value']
  return typeof value === 'object' && value !== null && 'cooked' in value ? value.cooked : undefined
}
