/** The page as an editor would have changed it: other words, labels, targets and numbers, and the same markup. */
export function withOtherWords(text: string): string {
  let fence = ''
  let isScript = false
  return text
    .split('\n')
    .map((line) => {
      const [, marker = ''] = /^\s*(`{3,}|~{3,})/.exec(line) ?? []
      if (marker !== '') {
        fence = fence === '' ? marker : line.trim().startsWith(fence) ? '' : fence
        return line
      }
      isScript = line.startsWith('<script') || (isScript && !line.startsWith('</script'))
      if (fence !== '' || isScript || /^\s*(?:import|export|\.\. |:{2,}|:\w|@|--8<|<<<)/.test(line))
        return line
      return line
        .split(
          /(\{\{.*?\}\}|\{%.*?%\}|\{[^{}]*\}`[^`]*`|\{[^{}]*\}|<[^<>]*>|`[^`]*`|\]\([^()]*\)|\S*[:/=]\S*)/,
        )
        .map((piece, index) => (index % 2 === 1 ? targets(labels(piece)) : counted(piece)))
        .join('')
    })
    .join('\n')
}

/** Texts and numbers that stand between quotes behind a name. */
function labels(piece: string): string {
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
