import { codeFenced } from 'micromark-core-commonmark'

type Construct = typeof codeFenced
type Context = ThisParameterType<Construct['tokenize']>

/**
 * Fenced code that ends where `closesFence` says. The parser itself lets any indentation end it where there is no
 * indented code.
 */
const fence: Construct = {
  ...codeFenced,
  tokenize(effects, ok, nok) {
    const indent = lastIndent(this)
    const attempt: typeof effects.attempt = (close, end, goOn) => {
      const tokenize = 'tokenize' in close ? close.tokenize : undefined
      if (typeof tokenize !== 'function') return effects.attempt(close, end, goOn)
      const nearby: Construct = {
        partial: true,
        tokenize(inner, yes, no) {
          const judge: typeof yes = (code) => (lastIndent(this) - indent >= 4 ? no(code) : yes(code))
          return tokenize.call(this, inner, judge, no)
        },
      }
      return effects.attempt(nearby, end, goOn)
    }
    return codeFenced.tokenize.call(this, { ...effects, attempt }, ok, nok)
  },
}

/** An extension of micromark. */
export const nearFences = { flow: { 96: fence, 126: fence } }

/** Columns before the fence that was read last. */
function lastIndent({ events, now }: Context): number {
  const { line } = now()
  const prefix = events.findLast(([, { type, start }]) => start.line < line || type === 'linePrefix')
  return prefix?.[1].type === 'linePrefix' && prefix[1].start.line === line
    ? prefix[2].sliceSerialize(prefix[1], true).length
    : 0
}
