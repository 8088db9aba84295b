/** The page as an editor would have changed it: other words, labels, targets and numbers, and the same markup. */
export function withOtherWords(text: string): string {
  let fence = ''
  let raw = ''
  let open = ''
  return text
    .split('\n')
    .map((line) => {
      const [, marker = ''] = /^[\s>*-]*(`{3,}|~{3,})/.exec(line) ?? []
      if (marker !== '') {
        fence =
          fence === ''
            ? marker
            : /^[\s>]*([`~]+)\s*$/.exec(line)?.[1]?.startsWith(fence) === true
              ? ''
              : fence
        return line
      }
      if (fence !== '') return line
      if (raw === '') raw = /<(script|style|textarea|svg|math)\b/.exec(line)?.[1] ?? ''
      const isRaw = raw !== ''
      if (isRaw && line.includes(`</${raw}`)) raw = ''
      // Tags, calls and expressions that go over lines are none of words.
      const wasOpen = open !== ''
      open = stillOpen(line, open)
      const [key = ''] = /^\s*(?:- )?[A-Za-z][\w $-]*:(?=\s)/.exec(line) ?? []
      const isMarkup = /^\s*(?:import|export|\.\. |:{2,}|:\w|@|--8<|<<<|\/{3}|={3}|[?!]{3})/.test(line)
      if (isRaw || wasOpen || open !== '' || isMarkup) return line
      // The name of a field stays.
      const rest = line
        .slice(key.length)
        .split(
          /(\{\{.*?\}\}|\{%.*?%\}|\{[^{}]*\}`[^`]*`|\{[^{}]*\}|<[^<>]*>|``.*?``|`[^`]*`|\]\([^()]*\)|[^\s{]*[:/=][^\s{]*)/,
        )
        .map((piece, index) => (index % 2 === 1 ? targets(labels(piece)) : counted(piece)))
        .join('')
      return key + rest
    })
    .join('\n')
}

const pairs: readonly (readonly [open: RegExp, close: string])[] = [
  [/\{\{(?!.*\}\})/, '}}'],
  [/<\/?[A-Za-z][^<>]*$/, '>'],
  [/\{(?!.*\})/, '}'],
]

/** The sign that ends what is open behind a line. */
function stillOpen(line: string, open: string): string {
  if (open !== '') return line.includes(open) ? '' : open
  return pairs.find(([sign]) => sign.test(line.replaceAll(/`[^`]*`/g, '')))?.[1] ?? ''
}

/** Texts and numbers that stand between quotes behind a name. */
function labels(piece: string): string {
  if (/set:html|dangerously/.test(piece)) return piece
  return piece
    .replaceAll(
      /\b(title|label|caption|alt|text|header|description|placeholder|summary|name)(=|:\s?)(["'])([\w .,()!?-]{4,}?)\3/g,
      (_, name: string, sign: string, quote: string, value: string) =>
        `${name}${sign}${quote}${value.replaceAll(/[a-z]{4,}/g, turned)}${quote}`,
    )
    .replaceAll(
      /\b(width|height|cols|columns|weight|level|size|rows|span)(=|:\s?)(["']?)(\d+)(?=\3)/g,
      (_, name: string, sign: string, quote: string, value: string) =>
        `${name}${sign}${quote}${Number(value) + 7}`,
    )
}

/** Pages and places of the site that links lead to. */
function targets(piece: string): string {
  return piece.replace(
    /^(\]\()((?:\.{0,2}\/)?[\w/-]+)(\.mdx?|\/)?(#[\w-]+)?\)$/,
    (_, open: string, path: string, ending = '', place = '') =>
      `${open}${path}${ending}${place === '' ? '#another-place' : `${place}-2`})`,
  )
}

function counted(prose: string): string {
  return prose.replaceAll(/[a-z]{5,}/g, turned).replaceAll(/(?<![\w.&#])\d(?!\w)/g, '4')
}

function turned(word: string): string {
  return word.split('').toReversed().join('')
}
