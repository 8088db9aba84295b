import { plainValue, type PlainValue } from './settings.ts'

const tags = new Set(['html', 'builder_html', 'format_html'])

/** Whether the default build has what `.. only::` names: an expression of names, `and`, `or`, `not` and brackets. */
export function isHtml(expression: string): boolean {
  const tokens = expression.match(/[\w.-]+|[()]/g)?.slice(0, 200) ?? []
  let at = 0
  const either = (): boolean => {
    let value = both()
    while (tokens[at] === 'or') {
      at++
      value = both() || value
    }
    return value
  }
  const both = (): boolean => {
    let value = single()
    while (tokens[at] === 'and') {
      at++
      value = single() && value
    }
    return value
  }
  const single = (): boolean => {
    const token = tokens[at++]
    if (token === 'not') return !single()
    if (token !== '(') return token !== undefined && tags.has(token)
    const value = either()
    at++
    return value
  }
  return either()
}

const tokensOf = /"[^"\n]{0,200}"|'[^'\n]{0,200}'|-?\d{1,15}|[A-Za-z_][\w.]{0,60}|==|!=|[()[\],]|\S/g

/**
 * Whether an expression of Python holds with these settings, as `ifconfig` has it: comparisons, `in`, `and`, `or` and `not`.
 * Undefined for what is no such expression, or names what is not known. Nothing is run.
 */
export function holds(expression: string, config: ReadonlyMap<string, PlainValue>): boolean | undefined {
  const tokens = expression.match(tokensOf)?.slice(0, 200) ?? []
  let at = 0
  let isKnown = true
  const take = (token: string): boolean => tokens[at] === token && at++ >= 0
  const either = (): boolean => {
    let value = both()
    while (take('or')) value = both() || value
    return value
  }
  const both = (): boolean => {
    let value = single()
    while (take('and')) value = single() && value
    return value
  }
  const single = (): boolean => {
    if (take('not')) return !single()
    if (take('(')) {
      const value = either()
      if (!take(')')) isKnown = false
      return value
    }
    const left = atom()
    if (take('==')) return left === atom()
    if (take('!=')) return left !== atom()
    const isNot = tokens[at] === 'not' && tokens[at + 1] === 'in'
    if (isNot) at++
    if (take('in')) return list().includes(left) !== isNot
    return left !== null && left !== false && left !== '' && left !== 0
  }
  const atom = (): PlainValue => {
    const token = tokens[at++] ?? ''
    if (/^(?:["'\d-]|True$|False$|None$)/.test(token)) return plainValue(token)
    const value = config.get(token)
    if (value === undefined) isKnown = false
    return value ?? null
  }
  const list = (): PlainValue[] => {
    const values: PlainValue[] = []
    const end = take('(') ? ')' : take('[') ? ']' : ''
    if (end === '') {
      isKnown = false
      return values
    }
    while (at < tokens.length && !take(end)) {
      values.push(atom())
      take(',')
    }
    return values
  }
  const value = either()
  return isKnown && at >= tokens.length ? value : undefined
}
