import { stemmer } from 'stemmer'

/** Words of a question that say how it is asked, not what about. */
const stopWords = new Set(
  `a about after again all also am an and any anybody anyone anything are as at be because been before being below between both but by
  can cannot cant come comes could did do does doesnt doing done dont down during each either else ever every few for from further get gets getting
  give go got guys had has have having he hello help her here hers hey hi him his how however i id if ill im in instead into is isnt it its itself ive
  just know let lets like look may me might mine more most much must my need no nor not now of off ok okay on once one ones only onto or other
  our ours out over own per please possible same second shall she should show since so some somebody someone something such tell than thank thanks that thats the their
  theirs them then there these they theyre thing things this those through to too under until up upon us use used uses using very via want wanted
  was way ways we well were what whats when where whether which while who whom whose why will with within without wont work works would wouldnt you
  actually already anyway basically came even exactly maybe perhaps really simply still though
  your yours explain describe example examples mean means documentation docs doc page pages`.split(/\s+/),
)

/** Verbs that documentation often words otherwise: they count, but their absence tells little. */
const weakWords = new Set(
  `add allow change check configur creat customiz default delet differ disabl do enabl find fix handl happen implement instal
  issu make manag modifi option problem provid remov run see set setup start stop support switch turn updat write best right correct
  app applic project new current own simpl easi quick
  put across along among around behind besid beyond insid near outsid sever toward automat`.split(/\s+/),
)

const hasUnspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u
const words =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]+|[\p{L}\p{N}\p{M}]+(?:['’][\p{L}]+)?/gu
/** Chinese words of asking, taken out before pairs are made. */
const unspacedFillers =
  /如何|怎么样|怎么|怎样|什么|为什么|哪里|哪个|哪些|是否|可以|能否|请问|吗|呢|的|了|是|在|我|你|和|与|吧|啊|どうやって|ですか|ますか|方法/g

/** The terms of a text: stems of words, parts of identifiers, pairs of characters where words have no spaces. */
export function termsOf(text: string): string[] {
  const terms: string[] = []
  for (const [word] of text.normalize('NFKC').matchAll(words)) {
    if (hasUnspaced.test(word)) {
      const characters = Array.from(word)
      if (characters.length === 1) terms.push(word)
      for (let i = 1; i < characters.length; i++) terms.push(`${characters[i - 1]}${characters[i]}`)
      continue
    }
    const humps = word.split(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u)
    if (humps.length > 1) terms.push(stemOf(word))
    for (const hump of humps) terms.push(stemOf(hump))
  }
  return terms
}

function stemOf(word: string): string {
  const plain = word.toLowerCase().replace(/['’](?:s|t|re|ve|ll|d|m)?/g, '')
  return /^[a-z]{3,40}$/.test(plain) ? stemmer(plain) : plain
}

/** What a question is about: its informative terms, with 1 for a full one and less for a weak one. */
export function questionTerms(question: string): Map<string, number> {
  const terms = new Map<string, number>()
  const text = question.replace(unspacedFillers, ' ')
  for (const [word] of text.normalize('NFKC').matchAll(words)) {
    if (stopWords.has(word.toLowerCase().replace(/['’]/g, ''))) continue
    for (const term of termsOf(word)) {
      if (term === '' || (term.length === 1 && /[a-z]/.test(term))) continue
      terms.set(term, weakWords.has(term) ? 0.35 : 1)
    }
  }
  return terms
}

export function isUnspaced(text: string): boolean {
  return hasUnspaced.test(text)
}
