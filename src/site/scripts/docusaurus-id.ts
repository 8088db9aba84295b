/** `01-intro` is `intro`; what looks like a date or a version stays. */
export function withoutNumber(name: string): string {
  if (/^\d+[-_.]\d/.test(name)) return name
  return /^\d+\s*[-_.]+\s*([^-_.\s].*)$/.exec(name)?.[1] ?? name
}

/** How a Docusaurus sidebar names a page: `inside` is its path in the docs folder, `data` its front matter. */
export function docusaurusId(inside: string, data: Readonly<Record<string, unknown>>): string {
  const parts = inside.replace(/\.(?:md|mdx|markdown)$/i, '').split('/')
  const clean = data['parse_number_prefixes'] === false ? parts : parts.map(withoutNumber)
  const own = data['id']
  return typeof own === 'string' && own !== '' ? [...clean.slice(0, -1), own].join('/') : clean.join('/')
}
