import { isQuotation, rawValueOf, valueOf, type Word } from './forms.ts'
import type { Masked } from './mask.ts'
import type { Scope } from './request.ts'

/** A request's words without its options, and these. */
export interface Asked {
  words: readonly Word[]
  masked: Masked
  flags: Record<keyof typeof flags, boolean>
}

/** Options of a request, which are removed before the forms are tried. */
const flags = {
  ignoreCase: ['ignoring case', 'ignoring the case', 'case insensitive', 'case-insensitive', 'in any case'],
  prose: ['but not in code', 'not in code', 'except in code', 'in prose only', 'only in prose', 'prose only'],
  code: [
    'including code blocks',
    'including code',
    'also in code',
    'in code too',
    'and in code',
    'even in code',
  ],
  links: ['including links', 'also in links', 'in links too', 'and in links', 'links included'],
  file: ['and its file', 'and the file', 'and its file name', 'and its path', 'including its file'],
}

export function takeFlags(words: readonly Word[]): Pick<Asked, 'words' | 'flags'> {
  let rest = [...words]
  const take = (phrases: readonly string[]) => {
    for (const phrase of phrases) {
      const keys = phrase.split(' ')
      const at = rest.findIndex((_, index) => keys.every((key, offset) => rest[index + offset]?.key === key))
      if (at < 1) continue
      rest = rest.toSpliced(at, keys.length)
      return true
    }
    return false
  }
  const choices = {
    ignoreCase: take(flags.ignoreCase),
    prose: take(flags.prose),
    code: take(flags.code),
    links: take(flags.links),
    file: take(flags.file),
  }
  return { words: rest, flags: choices }
}

/** "In guides/", "in the quickstart page", "everywhere"; without a place it is everywhere. */
export function readScope(words: readonly Word[] | undefined, masked: Masked): Scope {
  const all = /^(?:everywhere|globally)$/.test(words?.[0]?.key ?? '') ? words?.slice(1) : words
  const scopeText = (all ?? []).map(({ key }) => key).join(' ')
  if (all === undefined || scopeText === '' || everywhere.test(scopeText)) return { kind: 'everywhere' }
  const named = preposition.test(all[0]?.key ?? '') ? all.slice(1) : all
  const keys = named.map(({ key }) => key)
  const inside = named.slice(keys.findIndex((_, at) => pagesOf.test(keys.slice(0, at + 1).join(' '))) + 1)
  const isFolder = /^(?:folder|directory)$/.test(inside.at(-1)?.key ?? '')
  const bare = inside.filter(({ key }) => !/^(?:the|folder|directory)$/.test(key))
  const path = valueOf(bare, masked)
  if (bare.length === 1 && (isFolder || inside.length < named.length || path.endsWith('/')))
    return { kind: 'folder', path: path.replace(/^(?:\.?\/)+|(?<!\/)\/+$/g, '') }
  return { kind: 'pages', named: isQuotation(named) ? valueOf(named, masked) : rawValueOf(named, masked) }
}

const everywhere =
  /^(?:throughout|(?:(?:in|across|throughout|over|on|of|for) )?(?:(?:all|the|our|my|these|every|each|whole|entire|of) )*(?:docs?|documentation|documents|pages?|files?|site|website|repo|repository|project))$/
const preposition = /^(?:in|on|from|across|throughout|within|under|inside|for|of)$/
const pagesOf = /^(?:(?:all|every|the|our) )*(?:pages?|files?|docs) (?:in|under|of|inside|below)$/
