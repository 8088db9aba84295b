import type { SearchHit } from '../ports.ts'

/** Hits without those of pages whose translation comes earlier: a model reads one language as well as another. */
export function withoutTranslations(hits: readonly SearchHit[]): SearchHit[] {
  const languages = new Map<string, string>()
  return hits.filter((hit) => {
    const { language } = hit
    if (language === undefined) return true
    const key = untranslated(hit.url, language)
    const known = languages.get(key) ?? language
    languages.set(key, known)
    return known === language
  })
}

/** The path of a page without the segment that names its language. */
function untranslated(url: string, language: string): string {
  const name = language.toLowerCase()
  return url
    .split('/')
    .filter((segment) => segment.toLowerCase().replaceAll('_', '-') !== name)
    .join('/')
}
