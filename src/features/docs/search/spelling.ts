/** Endings that British writers spell in another way, with enough letters before them that no short word has them. */
const endings: readonly (readonly [RegExp, string])[] = [
  [/(?<=[a-z]{3})is(?=(?:e|es|ed|er|ers|ing|able|ations?)$)/, 'iz'],
  [/(?<=[a-z]{3})our(?=(?:s|ed|ing|ite|ites|able|al|ful|less|ly|hood|hoods)?$)/, 'or'],
  [/(?<=(?:ana|cata|para)ly)s(?=(?:e|ed|er|ers|ing)$)/, 'z'],
  [/(?<=^(?:cata|dia|ana|mono|pro)log)ue(?=s?$)/, ''],
  [/(?<=^(?:licen|defen|offen|preten))c(?=es?$)/, 's'],
  [/(?<=^(?:cent|met|kilomet|centimet|lit|fib|theat))re(?=s?$)/, 'er'],
  [
    /(?<=^(?:cance|labe|mode|trave|signa|tunne|leve|channe|marsha|pane|dia|tota)l)l(?=(?:ed|er|ers|ing|ings)$)/,
    '',
  ],
  [/^grey(?=s|ed|ing|scale|$)/, 'gray'],
  [/^programme(?=s?$)/, 'program'],
]

/**
 * The American spelling of a word in small letters, by which both are one: `colour` is `color`, `organise` is
 * `organize`. A few words come out as none (`promize`), which does no harm where questions and pages are treated alike.
 */
export function oneSpelling(word: string): string {
  if (word.length < 4) return word
  for (const [ending, other] of endings) {
    if (ending.test(word)) return word.replace(ending, other)
  }
  return word
}
