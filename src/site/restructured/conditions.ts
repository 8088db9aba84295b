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
