/**
 * The message in an error's body, in one line of at most 300 characters; empty when there is none.
 * @param clean takes secrets out of a text of the host, before the text is shortened
 */
export function readDetail(body: unknown, clean: (text: string) => string = (text) => text): string {
  const said = [...new Set(collect(body, 0, clean))].join('; ')
  const line = said.replaceAll(/[\p{C}\s]+/gu, ' ').trim()
  return line.length > 300 ? `${line.slice(0, 299)}…` : line
}

// GitHub: message, errors[].message or code with field. GitLab: message (also nested by field), error,
// error_description. Bitbucket: error.message, error.detail. Gitea: message.
const named = ['message', 'error_description', 'error', 'detail', 'errors']

function collect(value: unknown, depth: number, clean: (text: string) => string): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [clean(value).slice(0, 1000)]
  if (typeof value !== 'object' || value === null || depth > 4) return []
  if (Array.isArray(value)) return value.slice(0, 5).flatMap((item) => collect(item, depth + 1, clean))
  const fields = new Map<string, unknown>(Object.entries(value).slice(0, 20))
  const texts = named.flatMap((name) => collect(fields.get(name), depth + 1, clean))
  if (texts.length > 0) return texts
  const [code, field] = [fields.get('code'), fields.get('field')]
  if (typeof code === 'string') return [clean(typeof field === 'string' ? `${field}: ${code}` : code)]
  // GitLab names the fields that are wrong: {"message": {"title": ["is too long"]}}
  if (depth === 0) return []
  return [...fields].flatMap(([name, said]) =>
    collect(said, depth + 1, clean).map((text) => `${name} ${text}`),
  )
}
