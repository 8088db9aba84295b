import { ar } from './ar.ts'
import { de } from './de.ts'
import { en, type Texts } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { ja } from './ja.ts'
import { ko } from './ko.ts'
import { nl } from './nl.ts'
import { pl } from './pl.ts'
import { pt } from './pt.ts'
import { zh } from './zh.ts'

export const languages: Readonly<Record<string, Texts>> = { en, de, fr, es, pt, it, nl, pl, ja, zh, ko, ar }

export interface Language {
  name: string
  texts: Texts
  direction: 'ltr' | 'rtl'
}

/** The first of these languages that there are texts in; English when there is none. */
export function chooseLanguage(wanted: readonly (string | null | undefined)[]): Language {
  for (const tag of wanted) {
    const name = (tag ?? '').toLowerCase().split(/[-_]/, 1)[0] ?? ''
    const texts = Object.hasOwn(languages, name) ? languages[name] : undefined
    if (texts) return { name, texts, direction: name === 'ar' ? 'rtl' : 'ltr' }
  }
  return { name: 'en', texts: en, direction: 'ltr' }
}
