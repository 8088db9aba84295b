/** The page with other words in its prose and labels, and the same markup. */
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
        .map((piece, index) => (index % 2 === 1 ? labels(piece) : piece.replaceAll(/[a-z]{5,}/g, turned)))
        .join('')
    })
    .join('\n')
}

/** Texts that stand between quotes behind a name of a label. */
function labels(piece: string): string {
  return piece.replaceAll(
    /\b(title|label|caption|alt|text|header|description)=(["'])([\w ]{4,}?)\2/g,
    (_, name: string, quote: string, value: string) =>
      `${name}=${quote}${value.replaceAll(/[a-z]{4,}/g, turned)}${quote}`,
  )
}

function turned(word: string): string {
  return word.split('').toReversed().join('')
}
